// Follows changes of others while a page is looked at: one stream says that something may have changed, and the page reads
// itself again. What somebody does meanwhile is never touched: a line says that there is something new.
(() => {
  if (window.fwLive) return;
  window.fwLive = true;
  const FIRST_WAIT = 15_000;
  const MAX_WAIT = 600_000;
  const READS = { accept: "text/html", "x-sec-purpose": "prefetch;follow" }; // no person reads: messages and sessions stay as they are
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  let mark; // what the page follows
  let source;
  let wait = FIRST_WAIT;
  let timer;
  let isLost = false;
  let hasEnded = false; // the person may not see the page any more
  let fresh; // the page as it is now, which the person has not asked for yet

  /** The stream. It is closed while nobody looks: a browser has few connections to one host. */
  function open() {
    clearTimeout(timer);
    if (!mark?.isConnected || hasEnded || source || document.hidden || navigator.onLine === false) return;
    const url = new URL(mark.dataset.liveUrl, location.href);
    if (isLost) url.searchParams.delete("at"); // the page is looked at anyway
    source = new EventSource(url);
    source.addEventListener("open", () => {
      wait = FIRST_WAIT;
      if (isLost) look();
      isLost = false;
    });
    source.addEventListener("page", () => check());
    source.addEventListener("bell", () => bells());
    source.addEventListener("end", async () => {
      close();
      await check(); // a record that was deleted says so
      hasEnded = true;
    });
    source.addEventListener("error", () => {
      isLost = true; // the browser tries again by itself, unless it was refused
      if (source?.readyState !== EventSource.CLOSED) return;
      source = undefined;
      timer = setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(MAX_WAIT, wait * 2);
    });
  }
  function close() {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }
  function look() {
    check();
    bells();
  }
  function bells() {
    document.querySelector("turbo-frame#fw-bell[src]")?.reload?.();
  }

  /** Reads the page, and shows what is new. */
  let checking;
  let isAgain = false;
  async function check() {
    if (checking) isAgain = true;
    if (checking || !mark || mark.dataset.live === "bell") return;
    checking = mark;
    try {
      await show(checking);
    } catch {
      // not reached: the stream will be lost, and the page read again with the next one
    }
    checking = undefined;
    if (isAgain) {
      isAgain = false;
      check();
    }
  }
  async function show(of) {
    const isForm = of.dataset.live === "form";
    const form = isForm ? of.closest("form") : undefined;
    const address = isForm ? `${new URL(form.action).pathname}/edit` : location.href;
    const answer = await fetch(address, { headers: READS, redirect: "manual" });
    if (of !== mark || !of.isConnected) return;
    if (answer.status === 404 && of.dataset.live !== "list") return say("gone");
    if (answer.status !== 200) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (of !== mark || !of.isConnected) return;
    if (isForm) {
      const version = (within) => within.querySelector("form [name=lock_version]")?.value;
      if (version(page) !== undefined && version(page) !== version(document)) say("changed");
      return;
    }
    fresh = page;
    const changes = of.dataset.live === "list" ? listChanges(page) : recordChanges(page);
    if (changes === undefined || changes.some(({ old }) => isInUse(old)) || (changes.length > 0 && isBusy()))
      return say("changed");
    swap(changes);
    if (isShown()) hush();
  }

  /** What people see of an element, whatever scripts have made of it. */
  const PASSED =
    "turbo-frame[src]:not(.fw-cell), .fw-cell-edit, .fw-tablist, template, script, .fw-icons, [popover], .fw-popover, .fw-row-actions, .fw-more-columns, .fw-live, input[type=hidden]";
  function shown(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim();
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(PASSED)) return "";
    if (node.matches("time")) return node.dateTime;
    const isFrame = node.localName === "turbo-frame"; // it has the address of what was last opened in it
    const names = isFrame ? [] : ["href", "src", "alt", "value", "title"];
    const own = names.map((name) => node.getAttribute(name));
    const inside = [...node.childNodes].map(shown).filter((text) => text !== "");
    return [node.classList.contains("fw-status") ? node.className : "", ...own, ...inside].filter(Boolean).join("\n");
  }
  const isSame = (old, now) => shown(old) === shown(now);

  /** The table of a list, where its rows are records. */
  function tableOf(page) {
    const table = page.querySelector("#main > section.fw-panel > .fw-table-wrap > .fw-table");
    return table?.tBodies.length === 1 && [...table.tBodies[0].rows].every(keyOf) ? table : undefined;
  }
  const keyOf = (row) =>
    row.querySelector(".fw-row-link")?.getAttribute("href").split("?", 1)[0] ??
    row.querySelector('input[name="ids[]"]')?.value;
  /** The parts of a list that changed; undefined where rows came, left or moved, or it is no table. */
  function listChanges(page) {
    const [old, now] = [tableOf(document), tableOf(page)];
    if (!old || !now) {
      const [before, after] = [document, page].map((one) => one.querySelector("#main > section.fw-panel"));
      return before && after && isSame(before, after) ? [] : undefined;
    }
    const rows = [old, now].map((table) => all("tbody > tr", table));
    const keys = rows.map((some) => some.map(keyOf));
    const isOrdered = rows[0].length === rows[1].length && keys[0].every((key, at) => key === keys[1][at]);
    if (!isOrdered || !isSame(old.tHead, now.tHead)) return undefined;
    const changes = rows[0].flatMap((row, at) => rowChanges(row, rows[1][at]));
    return [
      ...changes,
      ...pairs(page, [
        "#main .fw-page-header h1 + p",
        "#main > section.fw-panel tfoot",
        "#main > section.fw-panel > .fw-pager",
      ]),
    ];
  }
  function rowChanges(row, now) {
    const cells = [...row.cells].map((cell, at) => ({ old: cell, now: now.cells[at] }));
    const changed = cells.filter(
      ({ old, now: to }) => to && !old.matches(".fw-select, .fw-row-actions") && !isSame(old, to),
    );
    if (changed.length === 0) return [];
    const actions = cells.find(({ old }) => old.matches(".fw-row-actions"));
    return actions ? [...changed, actions] : changed;
  }
  /** Parts that both pages have and that differ. */
  const pairs = (page, selectors) =>
    selectors.flatMap((selector) => {
      const [old, now] = [document, page].map((one) => one.querySelector(selector));
      return old && now && !isSame(old, now) ? [{ old, now }] : [];
    });

  /** The parts of a record's page that changed; undefined where parts came or left. */
  const PARTS = "#main > .fw-page-header, #main > .fw-panel, #main > .fw-parts > .fw-panel";
  function recordChanges(page) {
    const [old, now] = [all(PARTS), all(PARTS, page)];
    if (old.length !== now.length) return undefined;
    return old.flatMap((part, at) => (isSame(part, now[at]) ? [] : partChanges(part, now[at])));
  }
  /** The values of a part, where it has the same ones as before; else all of it. */
  function partChanges(old, now) {
    const names = (part) =>
      all("dt", part)
        .map((one) => one.textContent.trim())
        .join("\n");
    const [before, after] = [all("dd", old), all("dd", now)];
    if (before.length === 0 || before.length !== after.length || names(old) !== names(now)) return [{ old, now }];
    return before.flatMap((value, at) => (isSame(value, after[at]) ? [] : [{ old: value, now: after[at] }]));
  }

  /** Somebody has something open, chosen or typed. */
  const isBusy = () =>
    document.querySelector(
      "dialog[open], .fw-main details.fw-dropdown[open], .fw-popover, .fw-cell-form, .sortable-chosen, .fw-main input[name='ids[]']:checked",
    ) !== null || isPressed;
  let isPressed = false;
  for (const kind of ["pointerdown", "pointerup", "pointercancel"])
    addEventListener(kind, () => (isPressed = kind === "pointerdown"), true);
  function isInUse(part) {
    const selection = getSelection();
    const isSelected = !selection.isCollapsed && selection.containsNode(part, true);
    return isSelected || part.contains(document.activeElement);
  }

  /** Puts changed parts in the place of the old ones. What they stand in stays, with all that scripts know of it. */
  function swap(changes) {
    for (const { old, now } of changes) {
      if (old.matches(".fw-row-actions"))
        for (const { name } of [...old.attributes]) if (name.startsWith("data-")) old.removeAttribute(name);
      for (const { name, value } of now.attributes) if (name.startsWith("data-")) old.setAttribute(name, value);
      old.replaceChildren(...[...now.cloneNode(true).childNodes].map((node) => document.adoptNode(node)));
      if (old.matches("td, dd")) highlight(old);
    }
    if (changes.length > 0) settle();
  }
  /** Other scripts prepare what came, as they do after a frame has loaded. */
  const settle = () =>
    document.getElementById("main").dispatchEvent(new CustomEvent("turbo:frame-load", { bubbles: true }));
  function highlight(cell) {
    if (cell.matches(".fw-row-actions") || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const color = "color-mix(in srgb, var(--tblr-primary) 18%, transparent)";
    cell.animate([{ backgroundColor: color }, { backgroundColor: "transparent" }], { duration: 2000 });
  }

  /** The line: it says once what is new, to screen readers too. */
  const status = () => mark.querySelector("[role=status]");
  const isShown = () => mark?.classList.contains("fw-live-shown");
  function say(what) {
    const text = mark.dataset[what];
    if (status().textContent === text) return;
    status().textContent = text;
    mark.classList.add("fw-live-shown");
    const button = mark.querySelector("[data-live-show]");
    if (button) button.hidden = what === "gone";
  }
  function hush() {
    mark.classList.remove("fw-live-shown");
    status().textContent = "";
    const button = mark.querySelector("[data-live-show]");
    if (button) button.hidden = true;
  }

  /** The person wants to see it. Rows in which something is typed stay as they are, and what is selected stays selected. */
  function showNew() {
    const [old, now] = [tableOf(document), fresh && tableOf(fresh)];
    if (mark.dataset.live !== "list" || !old || !now || !isSame(old.tHead, now.tHead)) return visit();
    const kept = new Map(all("tbody > tr", old).map((row) => [keyOf(row), row]));
    const rows = all("tbody > tr", now).map((row) => rowToShow(kept.get(keyOf(row)), row));
    const [body] = old.tBodies;
    const left = [...body.rows].filter((row) => row.querySelector(".fw-cell-form") && !rows.includes(row));
    body.replaceChildren(...left, ...rows);
    swap(
      pairs(fresh, [
        "#main .fw-page-header h1 + p",
        "#main > section.fw-panel tfoot",
        "#main > section.fw-panel > .fw-pager",
      ]),
    );
    settle();
    hush();
    document.getElementById("main").focus({ preventScroll: true });
  }
  function rowToShow(old, now) {
    if (old?.querySelector(".fw-cell-form")) return old;
    const row = document.importNode(now, true);
    const headers = tableOf(document).tHead.rows[0].cells;
    for (const [at, cell] of [...row.cells].entries()) cell.hidden = headers[at]?.hidden ?? false;
    const [was, is] = [old, row].map((one) => one?.querySelector('input[name="ids[]"]'));
    if (was && is) is.checked = was.checked;
    const changed = old ? rowChanges(old, row).map(({ now: cell }) => cell) : [...row.cells];
    for (const cell of changed) setTimeout(() => highlight(cell));
    return row;
  }
  function visit() {
    const top = scrollY;
    document.addEventListener("turbo:load", () => scrollTo({ top, behavior: "instant" }), { once: true });
    if (typeof Turbo === "undefined") location.reload();
    else Turbo.visit(location.href, { action: "replace" });
  }

  function begin() {
    if (document.documentElement.hasAttribute("data-turbo-preview")) return;
    const found = document.querySelector("[data-live]");
    if (found === mark && source) return;
    close();
    [mark, fresh, isLost, hasEnded, wait] = [found ?? undefined, undefined, false, false, FIRST_WAIT];
    open();
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-live-show]")) showNew();
  });
  document.addEventListener("turbo:frame-render", ({ target }) => {
    if (isShown() && target.matches("turbo-frame.fw-cell")) check(); // what was new may have been what was just saved
  });
  document.addEventListener("turbo:load", begin);
  document.addEventListener("turbo:render", begin);
  document.addEventListener("turbo:before-cache", () => {
    close();
    if (isShown()) hush();
    mark = undefined;
  });
  /** What happened while nobody looked is looked at once. */
  function resume() {
    if (!mark) return;
    isLost = true;
    open();
  }
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : resume()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", ({ persisted }) => persisted && resume());
  addEventListener("offline", close);
  addEventListener("online", resume);
  begin();
})();
