"""Opens report.html in a browser and looks: python3 see_report.py REPORT.html [particles.csv]

No error on the console, no request leaves the page; the controls work by pointer and by keys; in 2D
particles are on the screen where particles.csv of a simulation of the best design has them, at the
first and the last step. Prints what is wrong; exit code 1 then."""

import csv
import json
import re
import sys

from browser import Browser

wrong = []


def check(condition, words):
    if not condition:
        wrong.append(words)


def read_particles(path):
    """{step: {particle: (body, x, y)}} of the first and the last step."""
    steps = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            steps.setdefault(int(row["step"]), {})[int(row["particle"])] = (
                row["body"], float(row["x"]), float(row["y"]))
    return steps[min(steps)], steps[max(steps)]


# what a pane shows, from its own word on which part of the plane it is: x0 y0 scale height
PANE = """(title) => {
  const pane = [...document.querySelectorAll(".pane")].find((p) => p.textContent.includes(title));
  const canvas = pane.querySelector("canvas");
  canvas.scrollIntoView({ block: "center" });
  const box = canvas.getBoundingClientRect();
  return { view: canvas.dataset.view.split(" ").map(Number), left: box.left, top: box.top,
           width: box.width, height: box.height };
}"""

# how much is painted at a place of a canvas, in CSS pixels: 0 to 255
INK = """(title, x, y) => {
  const pane = [...document.querySelectorAll(".pane")].find((p) => p.textContent.includes(title));
  const canvas = pane.querySelector("canvas");
  const density = canvas.width / canvas.clientWidth;
  const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, Math.floor(x * density), Math.floor(y * density), 1, 1, 0, 0, 1, 1);
  return copy.getImageData(0, 0, 1, 1).data[3];
}"""


def pixel(pane, x, y):
    x0, y0, scale, height = pane["view"]
    return (x - x0) * scale, height - (y - y0) * scale


def seek(browser, frame):
    browser.run(f"""(() => {{ const slider = document.querySelector('input[type=range]');
      slider.value = {frame}; slider.dispatchEvent(new Event('input')); }})()""")
    browser.settle()


def reading(browser):
    return browser.run("document.querySelector('.player output').textContent")


def see_particles(browser, title, particles, moment):
    """Clicks where particles should be, and reads what the page says is there."""
    pane = browser.run(f"({PANE})({json.dumps(title)})")
    ids = sorted(particles)
    for i in (ids[0], ids[len(ids) // 3], ids[-1]):
        body, x, y = particles[i]
        px, py = pixel(pane, x, y)
        check(0 <= px <= pane["width"] and 0 <= py <= pane["height"],
              f"{moment}: particle {i} is at {px:.1f}, {py:.1f}, outside of the canvas")
        check(browser.run(f"({INK})({json.dumps(title)}, {px}, {py})") > 60,
              f"{moment}: nothing is drawn at {px:.1f}, {py:.1f}, where particle {i} is")
        browser.click(pane["left"] + px, pane["top"] + py)
        line = next((l for l in reading(browser).split("\n") if title in l), "")
        said = re.search(r"particle (\d+) of (\w+) at \(([^)]*)\)", line.replace("\u2212", "-"))
        if not said:
            check(False, f"{moment}: a click on particle {i} of {body} reads '{line}'")
            continue
        # another one may lie on it; a click is a whole pixel
        there = particles[int(said[1])]
        place = [float(n) for n in said[3].split(", ")]
        check(said[2] == there[0], f"{moment}: particle {said[1]} is of {there[0]}, not of {said[2]}")
        check(abs(place[0] - there[1]) < 3e-5 and abs(place[1] - there[2]) < 3e-5,
              f"{moment}: particle {said[1]} is at {there[1:]}, not at {place}")
        off = max(abs(there[1] - x), abs(there[2] - y)) * pane["view"][2]
        check(off <= 2.0, f"{moment}: a click on particle {i} finds {said[1]}, {off:.2f} pixels away")
    empty = [(5.0, pane["height"] - 5.0), (pane["width"] - 5.0, 5.0)]
    check(any(browser.run(f"({INK})({json.dumps(title)}, {x}, {y})") == 0 for x, y in empty),
          f"{moment}: everything is painted over")


def see_controls(browser, last):
    slider = "document.querySelector('input[type=range]')"
    seek(browser, 0)
    browser.run("document.querySelector('.player button').focus()")
    browser.press(" ")
    check(browser.run("document.querySelector('.player button').textContent") == "Pause", "space does not play")
    browser.run("new Promise((done) => setTimeout(done, 400))")
    moved = float(browser.run(slider + ".value"))
    check(0 < moved <= last, f"after 0.4 s of playing it is at frame {moved}")
    browser.press(" ")
    check(browser.run("document.querySelector('.player button').textContent") == "Play", "space does not pause")
    browser.run(slider + ".focus()")
    before = float(browser.run(slider + ".value"))
    browser.press("ArrowLeft")
    check(float(browser.run(slider + ".value")) == before - 1, "the left arrow does not step back")
    browser.run("document.querySelector('.pane canvas').focus()")
    before = reading(browser)
    browser.press(".")
    check("particle" in reading(browser) and reading(browser) != before, "a full stop does not read the next particle")

    names = browser.run("[...document.querySelectorAll('.player select')].at(-1).options.length")
    check(names >= 4, f"only {names} things to colour by")
    for i in range(names):
        browser.run(f"""(() => {{ const list = [...document.querySelectorAll('.player select')].at(-1);
          list.selectedIndex = {i}; list.dispatchEvent(new Event('change')); }})()""")
        legend = browser.run("document.querySelector('.player .legend').textContent")
        check(len(legend) > 0, f"no legend of colour {i}")

    before = browser.run("document.querySelector('.plots svg').innerHTML")
    browser.run("document.querySelector('input[value=elapsed]').click()")
    browser.settle()
    check(browser.run("document.querySelector('.plots svg').innerHTML") != before, "the axis does not change to time")
    browser.run("document.querySelector('.chart').focus()")
    browser.press("End")
    check("time" in browser.run("document.querySelector('.chart output').textContent"), "a plot does not read its values")


def see_names(browser):
    """Everything that takes the focus or shows a picture has a name for those who do not see it."""
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]
    for node in tree:
        role = node.get("role", {}).get("value", "")
        name = node.get("name", {}).get("value", "")
        if role in ("button", "slider", "combobox", "radio", "img", "link") and not node.get("ignored"):
            check(name != "", f"a {role} without a name")
    roles = [node.get("role", {}).get("value", "") for node in tree]
    check("slider" in roles and "heading" in roles and "table" in roles, "the tree lacks a slider, a heading or a table")


def see_turning(browser):
    """A 3D view turns by its keys and by dragging."""
    if browser.run("document.querySelector('.pane canvas').dataset.view") != "3d":
        return
    picture = "document.querySelector('.pane canvas').toDataURL()"
    browser.run("document.querySelector('.pane canvas').focus()")
    pictures = {browser.run(picture)}
    browser.press("ArrowRight")
    pictures.add(browser.run(picture))
    box = browser.run("(() => { const b = document.querySelector('.pane canvas').getBoundingClientRect();"
                      " return [b.left + b.width / 2, b.top + b.height / 2]; })()")
    browser.drag(box[0], box[1], box[0] + 60, box[1] + 20)
    pictures.add(browser.run(picture))
    check(len(pictures) == 3, f"a 3D view turned twice has {len(pictures)} pictures")


# the middle of the first polygon that moves, as the page has it before it does: null, there is none
MOVER = """(() => {
  const run = JSON.parse(document.getElementById("data").textContent).runs[0];
  const d = run.drawings.find((d) => d.moves && d.form === "polygon");
  const mean = (a) => d.points.filter((v, i) => i % 3 === a).reduce((s, v) => s + v, 0) / (d.points.length / 3);
  return d ? [mean(0), mean(1)] : null;
})()"""


def see_movers(browser, frames):
    """In 2D an obstacle that moves is where it starts in the first frame, and gone from there in the last."""
    middle = browser.run(MOVER)
    if middle is None or browser.run("document.querySelector('.pane canvas').dataset.view") == "3d":
        return
    ink = []
    for frame in (0, frames):
        seek(browser, frame)
        pane = browser.run(f"({PANE})('best')")
        x, y = pixel(pane, *middle)
        ink.append(browser.run(f"({INK})('best', {x}, {y})"))
    check(ink[0] > 100 and ink[1] == 0, f"where an obstacle starts the ink is {ink[0]} at first and {ink[1]} at last")


# of a heat map: where its labels and cells are, from its own word on it, and what is painted below
HEAT = """(canvas) => {
  canvas.scrollIntoView({ block: "center" });
  const box = canvas.getBoundingClientRect();
  const [left, width, height, bottom] = canvas.dataset.cells.split(" ").map(Number);
  const density = canvas.width / canvas.clientWidth;
  const below = canvas.height - Math.ceil((bottom + 1) * density);
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const ink = below > 0 && copy.getImageData(0, canvas.height - below, canvas.width, below).data.some((v) => v > 60);
  return { x: box.left, y: box.top, rows: JSON.parse(canvas.dataset.rows), left, width, height, bottom, ink,
           title: canvas.closest("figure").querySelector("figcaption").textContent };
}"""

# whether a reading "row, column: value" of the best design is that of a variable; null: not a weight
WEIGHT = """(row, column, value) => {
  const run = JSON.parse(document.getElementById("data").textContent).runs[0];
  const block = run.blocks.find((b) => b.variable === "controller");
  const i = block ? block.labels.indexOf([block.name, row, column].join(".")) : null;
  const said = Number(value.replace(/\u2212/g, "-"));
  return i === null ? null : i >= 0 && Math.abs(said - block.best[i]) <= 1e-3 * Math.abs(said);
}"""


def see_heats(browser, wanted):
    """Labels of heat maps are beside their rows and do not overlap; weights are where they belong, and
    there is an axis or names below; `wanted`: "weights" or "controls" have to be among them."""
    seen = set()
    for i in range(browser.run("document.querySelectorAll('.heat canvas').length")):
        node = f"document.querySelectorAll('.heat canvas')[{i}]"
        heat = browser.run(f"({HEAT})({node})")
        heat = browser.run(f"({HEAT})({node})")  # where it is now that it has been scrolled to
        where = f"heat map {i}, {heat['title']}"
        places = [y for _, y in heat["rows"]]
        check(all(b - a > 11.9 for a, b in zip(places, places[1:])), f"{where}: labels overlap: {places}")
        check(0 < places[0] and places[-1] < heat["bottom"], f"{where}: labels are outside: {places}")
        check(heat["ink"], f"{where}: nothing is written below it")
        for name, y in (heat["rows"][0], heat["rows"][len(places) // 2], heat["rows"][-1]):
            browser.call("Input.dispatchMouseEvent", type="mouseMoved", y=heat["y"] + y,
                         x=heat["x"] + heat["left"] + 1.5 * heat["width"])
            browser.settle()
            said = browser.run(node + ".closest('figure').querySelector('output').textContent")
            match = re.fullmatch(r"(.*), (.*): (.*)", said)
            check(match and match[1] == name, f"{where}: beside '{name}' it reads '{said}'")
            if match and heat["title"] == "best design":
                known = browser.run(f"({WEIGHT})({json.dumps(name)}, {json.dumps(match[2])}, {json.dumps(match[3])})")
                check(known is not False, f"{where}: no weight '{said}'")
                seen |= {"weights"} if known else set()
            seen |= {"controls"} if heat["title"].startswith("Controls, ") else set()
    check(not wanted or wanted <= seen, f"heat maps are of {seen}, not of {wanted}")


def open_details(browser):
    browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    browser.settle()


def see_page(browser, page, particles):
    seconds = browser.open(page, dark=True)
    check(browser.run("document.documentElement.dataset.ready") == "yes", "the page is not built")
    frames = int(browser.run("document.querySelector('input[type=range]').max"))
    for moment, frame, places in zip(("first frame", "last frame"), (0, frames), particles):
        seek(browser, frame)
        see_particles(browser, "best", places, moment)
    see_movers(browser, frames)
    see_turning(browser)
    see_controls(browser, frames)
    see_names(browser)
    open_details(browser)
    see_heats(browser, {"weights", "controls"} if "weights" in page else set())
    browser.open(page, width=390)
    width = browser.run("document.documentElement.scrollWidth")
    check(width <= 390, f"on a telephone the page is {width} pixels wide")
    open_details(browser)
    see_heats(browser, set())
    return seconds


def main(page, particles=None):
    with Browser() as browser:
        seconds = see_page(browser, page, read_particles(particles) if particles else ())
        check(browser.problems == [], f"on the console: {browser.problems}")
        away = [url for url in browser.requests if not url.endswith("/" + page.split("/")[-1])]
        check(away == [], f"requests leave the page: {away}")
    for words in wrong:
        print(words)
    print(f"{page}: {len(wrong)} wrong, opened in {seconds:.2f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
