"""What people see: plain data in, text out. Everything a source wrote is made harmless before it is shown."""

from claimbase.present.escape import harmless, json_text

__all__ = ["harmless", "json_text"]
