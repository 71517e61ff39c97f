"""What people see: plain data in, text out. Everything a source wrote is made harmless before it is shown."""

from claimbase.present.escape import guarded, harmless, json_text

__all__ = ["guarded", "harmless", "json_text"]
