"""Opens the page of a study or a comparison in a browser and looks: python3 see_batch.py REPORT.html [still]

At 1280 and 390 pixels: no error on the console, nothing is asked of a network, nothing is wider than
the window; a click on a row, a point or a line chooses a run, whose motion plays (still: there is
none); filters hide runs everywhere and show them again. Prints what is wrong; exit code 1 then."""

import json
import re
import sys

from browser import Browser

wrong = []


def check(condition, words):
    if not condition:
        wrong.append(words)


ROWS = "[...document.querySelectorAll('.tall tbody tr')]"


def rows(browser):
    return browser.run(f"{ROWS}.length")


def chosen(browser):
    return browser.run(f"{ROWS}.filter((r) => r.getAttribute('aria-selected') === 'true').map((r) => r.dataset.run)")


def box_of(browser, what):
    """The middle of an element, in the window."""
    return browser.run(f"""(() => {{ const node = {what}; node.scrollIntoView({{ block: "center", inline: "center" }});
      const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2, box.height]; }})()""")


def see_rows(browser, still):
    n = rows(browser)
    for k in (0, n // 2, n - 1):
        x, y, _ = box_of(browser, f"{ROWS}[{k}].cells[1]")
        browser.click(x, y)
        browser.settle()
        run = browser.run(f"{ROWS}[{k}].dataset.run")
        check(chosen(browser) == [run], f"a click on row {k} chooses {chosen(browser)}, not {run}")
        head = browser.run("document.querySelector('[data-part=chosen] h3').textContent")
        cell = browser.run(f"{ROWS}[{k}].cells[0].textContent")
        check(cell[:4] in head, f"row {k}: the heading is '{head}', the first cell '{cell}'")
        players = browser.run("document.querySelectorAll('.player').length")
        check(players == (0 if still else 1), f"row {k} has {players} players")
        if still:
            check("cqopt report" in browser.run("document.querySelector('[data-part=chosen]').textContent"),
                  "nobody says how to make motions")
        else:
            see_motion(browser)


def see_motion(browser):
    slider = "document.querySelector('input[type=range]')"
    picture = "document.querySelector('.player canvas').toDataURL()"
    browser.run(f"{slider}.value = 0; {slider}.dispatchEvent(new Event('input'))")
    browser.settle()
    first = browser.run(picture)
    browser.run(f"{slider}.value = {slider}.max; {slider}.dispatchEvent(new Event('input'))")
    browser.settle()
    check(first != browser.run(picture), "the motion does not move")


def see_pictures(browser):
    x, y, _ = box_of(browser, "document.querySelector('[data-part=scatter] circle:last-of-type')")
    run = browser.run("document.querySelector('[data-part=scatter] circle:last-of-type').dataset.run")
    browser.click(x, y)
    browser.settle()
    check(len(chosen(browser)) == 1, "a click on a point chooses nothing")
    check(browser.run("document.querySelectorAll('[data-part=scatter] circle[r=\"6\"]').length") == 1,
          "the chosen point is not marked")
    check(run is not None, "points have no runs")
    lines = browser.run("document.querySelectorAll('.parallel path').length")
    points = browser.run("document.querySelectorAll('[data-part=scatter] circle').length")
    check(lines >= points > 0, f"{lines} lines, {points} points")


def see_filters(browser):
    n = rows(browser)
    word = browser.run(f"{ROWS}[0].cells[{ROWS}[0].cells.length - 1].textContent")
    search = "document.querySelector('input[type=search]')"
    browser.run(f"{search}.value = 'no such text'; {search}.dispatchEvent(new Event('input'))")
    check(rows(browser) == 0, "a text that is nowhere shows rows")
    browser.run(f"{search}.value = {json.dumps(word)}; {search}.dispatchEvent(new Event('input'))")
    check(0 < rows(browser) <= n, f"the text {word} shows {rows(browser)} rows")
    show_all = "[...document.querySelectorAll('button')].find((b) => b.textContent === 'Show all')"
    browser.run(show_all + ".click()")
    check(rows(browser) == n, "not all are shown again")
    # the lower half of the first axis
    axis = "document.querySelector('.parallel svg line.axis')"
    x, y, height = box_of(browser, axis)
    browser.drag(x, y, x, y + height / 2 + 4)
    browser.settle()
    less = rows(browser)
    check(0 < less < n, f"half of an axis shows {less} of {n} rows")
    points = browser.run("document.querySelectorAll('[data-part=scatter] circle').length")
    check(points <= less, f"{less} rows, but {points} points")
    said = browser.run("document.querySelector('.controls output').textContent")
    check(re.match(f"{less} of {n} ", said), f"it says '{said}'")
    x, y, _ = box_of(browser, axis)
    browser.click(x, y)
    browser.settle()
    check(rows(browser) == n, "a click on the axis does not show all again")


def see_order(browser):
    heads = browser.run("document.querySelectorAll('.tall thead button').length")
    for k in range(heads):
        browser.run(f"document.querySelectorAll('.tall thead button')[{k}].click()")
    numbers = f"{ROWS}.map((r) => Number(r.cells[0].textContent.replace('\u2212', '-')))"
    browser.run("document.querySelectorAll('.tall thead button')[0].click()")
    up = browser.run(numbers)
    browser.run("document.querySelectorAll('.tall thead button')[0].click()")
    down = browser.run(numbers)
    if None not in up:
        check(up == sorted(up) and down == sorted(up, reverse=True), "a heading does not order by its column")


def main():
    path, still = sys.argv[1], "still" in sys.argv[2:]
    for width in (1280, 390):
        with Browser(60) as browser:
            browser.open(path, width=width)
            browser.settle()
            check(browser.run("document.documentElement.scrollWidth") <= width, f"wider than {width} pixels")
            check(rows(browser) > 1, "no rows")
            see_rows(browser, still)
            see_pictures(browser)
            see_filters(browser)
            see_order(browser)
            check(browser.problems == [], f"{width}: {browser.problems}")
            check(len(browser.requests) == 1, f"{width}: {browser.requests}")
    for words in wrong:
        print(words)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
