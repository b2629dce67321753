"""Chromium without a display, driven through a pipe by its debugging protocol. Python's own library
alone. `python3 browser.py` says whether there is one: exit code 0."""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAMS = (os.environ.get("CQ_BROWSER", ""), "chromium", "chromium-browser", "google-chrome")


def program():
    return next((found for name in PROGRAMS if name and (found := shutil.which(name))), None)


class Browser:
    """One page. What goes wrong in it is collected: `problems`, and `requests` that leave it."""

    def __init__(self, timeout=30.0):
        self.deadline = time.monotonic() + timeout
        self.profile = tempfile.mkdtemp(prefix="cq-browser-")
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()
        # the browser expects its pipes as descriptors 3 and 4
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", program(),
             "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.last, self.session = b"", 0, None
        self.problems, self.requests = [], []
        self.seen = {}
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def read(self):
        """The next message."""
        while b"\0" not in self.buffer:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.reader], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.reader, 1 << 20)
            if not more:
                raise RuntimeError("the browser has gone")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, what = message.get("method", ""), message.get("params", {})
        self.seen[method] = self.seen.get(method, 0) + 1
        if method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.problems.append(str(what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.problems.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = what["request"]["url"]
            if not url.startswith("data:"):
                self.requests.append(url)

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while (answer := self.read()).get("id") != self.last:
            self.note(answer)
        if "error" in answer:
            raise RuntimeError(method + ": " + answer["error"]["message"])
        return answer["result"]

    def open(self, path, width=1280, height=900, dark=False, density=1):
        """Loads a file; returns the seconds until it was loaded."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=density, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        loaded = self.seen.get("Page.loadEventFired", 0)
        start = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while self.seen.get("Page.loadEventFired", 0) == loaded:
            self.note(self.read())
        self.settle()
        return time.monotonic() - start

    def run(self, script):
        """The value of an expression in the page; a promise is awaited."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def settle(self):
        """Waits until two more frames were drawn."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def drag(self, x0, y0, x1, y1):
        for kind, x, y in (("mousePressed", x0, y0), ("mouseMoved", (x0 + x1) / 2, (y0 + y1) / 2),
                           ("mouseMoved", x1, y1), ("mouseReleased", x1, y1)):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
        self.settle()

    def press(self, key):
        code = {" ": 32, ".": 190, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}[key]
        text = key if len(key) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code="Space" if key == " " else key,
                      text=text if kind == "keyDown" else "", windowsVirtualKeyCode=code)
        self.settle()

    def picture(self, path, whole=True):
        import base64
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


if __name__ == "__main__":
    sys.exit(0 if program() else 1)
