"""Certificates for a test: see ../certificates.sh."""

import os
import subprocess
import tempfile

_HERE = os.path.dirname(os.path.abspath(__file__))


class Certificates:
    """Those of these names, which one CA has signed, in a folder that goes with the object."""

    def __init__(self, *names):
        self._folder = tempfile.TemporaryDirectory()
        self.ca = self.path("ca.pem")
        self.add(*names)

    def add(self, *names):
        """Makes them, also where there are some of these names."""
        subprocess.run(["bash", os.path.join(_HERE, "..", "certificates.sh"), self._folder.name, *names], check=True)

    def path(self, file):
        return os.path.join(self._folder.name, file)

    def of(self, name):
        """The paths of the certificate and its key."""
        return self.path(f"{name}.pem"), self.path(f"{name}.key")

    def options(self, *names):
        """What our servers are told to have them."""
        words = []
        for certificate, key in map(self.of, names):
            words += ["--tls-certificate", certificate, "--tls-key", key]
        return words

    def remove(self):
        self._folder.cleanup()
