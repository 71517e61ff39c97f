"""What people see: plain data in, text out. Everything a source wrote is made harmless before it is shown."""

from claimbase.present.escape import guarded, harmless, isolated, json_text, unseen

__all__ = ["guarded", "harmless", "isolated", "json_text", "unseen"]
