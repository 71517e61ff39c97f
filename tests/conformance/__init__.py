"""The conformance suite: cases as data, and a runner that maps them onto the public interface."""
