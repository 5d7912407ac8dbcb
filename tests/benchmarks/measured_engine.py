"""A UCI engine on pipes whose processor time can be read: what the comparisons of this folder share."""

import shutil
import subprocess
import sys
import time


class Engine:
    """A UCI engine on pipes."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("uci", "uciok")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def answers(self, line, ending):
        """Sends a line and yields the answer's lines up to the first that starts with `ending`."""
        self.send(line)
        for answer in self.process.stdout:
            yield answer.strip()
            if answer.startswith(ending):
                return
        sys.exit(f"{self.process.args[0]} ended without '{ending}'")

    def ask(self, line, ending):
        """The last of the answer's lines, the one that starts with `ending`."""
        for answer in self.answers(line, ending):
            pass
        return answer

    def cpu_seconds(self):
        """Processor time of the engine so far: the clock that Linux keeps for each process."""
        return time.clock_gettime((~self.process.pid << 3) | 2)


def find(name):
    """The path of a program, also where Debian keeps games."""
    path = shutil.which(name) or shutil.which(name, path="/usr/games")
    return path or sys.exit(f"{sys.argv[0]}: {name} is not there; build or install it first")
