// Shortcuts of the keyboard, loaded with the first key that may be one. None of them works while somebody types, and
// people switch them off in the list of them.
(() => {
  const SETTING = "fw-keys";
  const WAIT = 1500;
  const main = (selector) => document.querySelector(`main ${selector}`);
  const link = () => document.querySelector("a[data-keys]");
  let letterUntil = 0;

  function isOff() {
    try {
      return localStorage.getItem(SETTING) === "off";
    } catch {
      return false; // storage is blocked
    }
  }
  function setOff(off) {
    try {
      if (off) localStorage.setItem(SETTING, "off");
      else localStorage.removeItem(SETTING);
    } catch {} // storage is blocked: they stay on
  }

  const rows = () => [...document.querySelectorAll("main .fw-table tbody .fw-row-link")];
  function moveTo(by) {
    const links = rows();
    const now = document.activeElement?.closest?.("tr")?.querySelector(".fw-row-link");
    const at = links.indexOf(now);
    links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
  }

  /** On the page of a record, the one before or after it in the list that it was opened from. */
  const neighbour = (rel) => main(`.fw-neighbours a[rel=${rel}]`);

  /** What each shortcut needs on the page, and does. */
  const actions = {
    search: { key: "", of: () => document.querySelector("a[data-palette]") },
    find: { key: "/", of: () => main(".fw-search input"), run: (input) => input.focus() },
    new: { key: "n", of: () => main('.fw-page-header a[href$="/new"]'), run: (button) => button.click() },
    edit: {
      key: "e",
      of: () => main('.fw-page-header a:is([href$="/edit"], [href*="/edit?return_to="])'),
      run: (button) => button.click(),
    },
    next: { key: "j", of: () => neighbour("next") ?? rows()[0], run: () => neighbour("next")?.click() ?? moveTo(1) },
    previous: {
      key: "k",
      of: () => neighbour("prev") ?? rows()[0],
      run: () => neighbour("prev")?.click() ?? moveTo(-1),
    },
    open: { key: "", of: () => rows()[0] },
    help: { key: "?", of: link, run: () => open() },
  };

  /** The lines of the sidebar by a letter of their names: the first that no line before has. */
  function places() {
    const found = new Map();
    for (const line of document.querySelectorAll(".fw-sidebar .fw-nav-link[href]")) {
      const letters = [...line.textContent.trim().toLowerCase()].filter((one) => /[\p{L}\p{N}]/u.test(one));
      const letter = letters.find((one) => !found.has(one));
      if (letter !== undefined && found.size < 12) found.set(letter, line);
    }
    return found;
  }

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  /** The list of what this page has, in a dialog; where it can't be loaded, its page is opened. */
  async function open() {
    if (document.querySelector("dialog[open]")) return;
    const url = link().href;
    try {
      const answer = await fetch(url, { headers: { accept: "text/html", "turbo-frame": "fw-keys" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const list = page.querySelector("#fw-keys > .fw-keys");
      if (!answer.ok || !list) throw new Error("no list");
      show(document.adoptNode(list));
    } catch {
      location.assign(url);
    }
  }

  function show(list) {
    for (const line of list.querySelectorAll("[data-key]")) {
      const action = actions[line.dataset.key];
      if (action && !action.of()) line.remove();
    }
    const go = list.querySelector("[data-keys-go]");
    for (const [letter, line] of places()) {
      const keys = element("dt", {}, element("kbd", { textContent: "g" }), element("kbd", { textContent: letter }));
      go.querySelector("dl").append(element("div", {}, keys, element("dd", { textContent: line.textContent.trim() })));
      go.hidden = false;
    }
    const label = list.querySelector("[data-keys-switch]");
    label.hidden = false;
    const box = label.querySelector("input");
    box.checked = !isOff();
    box.addEventListener("change", () => setOff(!box.checked));
    const dialog = element("dialog", { className: "fw-dialog fw-keys-dialog" }, list);
    dialog.setAttribute("aria-label", list.querySelector("h1").textContent);
    const close = document.querySelector("[data-modal-close]")?.cloneNode(true);
    if (close) dialog.prepend(close);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
  }

  /** The shortcut of a key; undefined for one that this page does not have. */
  function shortcut(key) {
    if (performance.now() < letterUntil) {
      letterUntil = 0;
      const line = places().get(key.toLowerCase());
      if (line) return () => line.click();
    }
    if (key === "g") return () => (letterUntil = performance.now() + WAIT);
    const action = Object.values(actions).find((one) => one.key === key);
    const target = action?.of();
    return target && (() => action.run(target));
  }

  const typing =
    "input:not([type=checkbox],[type=radio],[type=submit],[type=button]), textarea, select, [contenteditable]:not([contenteditable=false])";
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isOff()) return;
    if (event.defaultPrevented || target.closest?.(typing) || document.querySelector("dialog[open]")) return;
    const run = link() && shortcut(key);
    if (!run) return;
    event.preventDefault();
    run();
  });
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || !event.target.closest?.("a[data-keys]")) return;
    event.preventDefault();
    open();
  });
})();
