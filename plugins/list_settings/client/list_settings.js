// Widths of columns, by pointer and keys, and which view of a list was the last: both are stored for the person.
(() => {
  if (window.fwListSettings) return window.fwListSettings();
  const [MIN, MAX, STEP] = [50, 800, 10];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const list = () => document.querySelector('meta[name="framewright-list"]');

  /** Sends what changed; `keepalive`, because the page may be left meanwhile. */
  function send(path, body) {
    const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    const headers = { "x-csrf-token": token, accept: "application/json" };
    return fetch(path, { method: "POST", body, headers, keepalive: true }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  let changed = new Map();
  let waiting;
  function flush() {
    clearTimeout(waiting);
    const path = list()?.content;
    if (changed.size === 0 || !path) return;
    const body = new URLSearchParams([...changed].map(([name, width]) => [`widths[${name}]`, width ?? ""]));
    changed = new Map();
    send(path, body);
  }
  function saveSoon(th) {
    changed.set(th.dataset.column, th.dataset.width);
    clearTimeout(waiting);
    waiting = setTimeout(flush, 500);
  }

  const widthOf = (th) => Number(th.dataset.width ?? Math.round(th.getBoundingClientRect().width));
  const bounded = (width) => Math.min(MAX, Math.max(MIN, Math.round(width / STEP) * STEP));
  /** Gives a column a width; undefined for the one of its contents. */
  function show(th, width) {
    th.className = th.className.replace(/\s*\bfw-(?:sized|w\d+)\b/g, "");
    if (width === undefined) {
      delete th.dataset.width;
      th.style.removeProperty("--fw-w");
    } else {
      th.dataset.width = width;
      th.classList.add("fw-sized");
      th.style.setProperty("--fw-w", `${width}px`);
    }
    describe(th);
  }
  function describe(th) {
    const handle = th.querySelector(".fw-resize");
    const width = widthOf(th);
    handle?.setAttribute("aria-valuenow", Math.min(MAX, Math.max(MIN, width)));
    handle?.setAttribute("aria-valuetext", `${width} px`);
  }
  /** The width that a person chose: the columns that fit may be others now. */
  function choose(th, width) {
    if (width !== undefined) th.dataset.chosen = width;
    show(th, width);
    dispatchEvent(new Event("resize"));
    saveSoon(th);
  }

  const signOf = (th) => (getComputedStyle(th).direction === "rtl" ? -1 : 1);
  let drag;
  document.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest?.(".fw-resize");
    if (!handle || event.button !== 0) return;
    const th = handle.parentElement;
    drag = { handle, th, from: event.clientX, width: widthOf(th), now: undefined };
    handle.setPointerCapture(event.pointerId);
    handle.dataset.dragged = "";
    event.preventDefault();
    handle.focus({ preventScroll: true, focusVisible: false });
  });
  document.addEventListener("pointermove", ({ clientX }) => {
    if (!drag) return;
    const by = (clientX - drag.from) * signOf(drag.th);
    if (drag.now === undefined && Math.abs(by) < 3) return; // a click moves nothing
    drag.now = Math.min(MAX, Math.max(MIN, drag.width + by));
    show(drag.th, drag.now);
  });
  for (const type of ["pointerup", "pointercancel"])
    document.addEventListener(type, () => {
      if (!drag) return;
      const { handle, th, now } = drag;
      drag = undefined;
      delete handle.dataset.dragged;
      if (now !== undefined) choose(th, bounded(now));
    });
  document.addEventListener("dblclick", ({ target }) => {
    const handle = target.closest?.(".fw-resize");
    if (handle) choose(handle.parentElement, undefined);
  });
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.(".fw-resize") || event.altKey || event.ctrlKey || event.metaKey) return;
    const th = event.target.parentElement;
    const by = STEP * (event.shiftKey ? 5 : 1) * signOf(th);
    const now = widthOf(th);
    const { chosen } = th.dataset;
    const other = th.dataset.width === undefined ? (chosen ?? bounded(now)) : undefined;
    const keys = {
      ArrowRight: () => bounded(now + by),
      ArrowLeft: () => bounded(now - by),
      Home: () => MIN,
      End: () => MAX,
      Enter: () => other,
      Delete: () => undefined,
      Backspace: () => undefined,
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    choose(th, keys[event.key]());
  });

  function addHandles() {
    for (const th of all("th[data-resize]")) {
      if (!th.querySelector(".fw-resize")) {
        th.setAttribute("aria-label", (th.querySelector(".fw-sort") ?? th).textContent.trim());
        if (th.dataset.width !== undefined) th.dataset.chosen = th.dataset.width;
        const handle = document.createElement("span");
        const values = { role: "separator", "aria-orientation": "vertical", "aria-label": th.dataset.resize };
        const range = { "aria-valuemin": MIN, "aria-valuemax": MAX, tabindex: 0 };
        for (const [name, value] of Object.entries({ ...values, ...range })) handle.setAttribute(name, value);
        handle.className = "fw-resize";
        th.append(handle);
      }
      describe(th);
    }
  }

  /** The last view is the one that a person came to from another page here; a link of somebody else's changes nothing. */
  const first = performance.getEntriesByType("navigation")[0]?.name.split("#")[0];
  const stored = new Map();
  let isRestored = false;
  let isLoaded = false;
  async function remember() {
    const meta = list();
    isLoaded ||= location.href.split("#")[0] !== first;
    if (!meta || !isLoaded || document.documentElement.hasAttribute("data-turbo-preview")) return;
    const { content: path, dataset } = meta;
    const before = (isRestored ? stored.get(path) : undefined) ?? dataset.stored;
    stored.set(path, dataset.query);
    if (before !== dataset.query && !(await send(path, new URLSearchParams({ query: dataset.query }))))
      stored.set(path, before);
  }

  window.fwListSettings = () => {
    addHandles();
    remember();
  };
  addEventListener("turbo:visit", ({ detail }) => {
    isRestored = detail.action === "restore";
    isLoaded = true;
  });
  addEventListener("turbo:before-visit", flush);
  addEventListener("pagehide", flush);
  addEventListener("resize", () => requestAnimationFrame(() => requestAnimationFrame(addHandles)));
  addEventListener("turbo:load", window.fwListSettings);
  window.fwListSettings();
})();
