// Search over a whole portal, in a dialog that Ctrl+K opens; without it the link leads to the page of the search.
(() => {
  if (window.framewrightPalette) return; // of before a deploy, in a page that was open then
  window.framewrightPalette = true;
  const opener = () => document.querySelector("a[data-palette]");
  const WAIT = 150;
  const RECENT = 6;
  let dialog, input, list, options, chosen, asked, timer, offered;

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function build() {
    const { placeholder } = opener().dataset;
    list = element("div", { id: "fw-palette-list", role: "listbox" });
    input = element("input", { type: "text", className: "form-control", placeholder, autocomplete: "off" });
    const told = { role: "combobox", "aria-label": placeholder, "aria-controls": "fw-palette-list" };
    for (const [name, value] of Object.entries({ ...told, "aria-expanded": "true" })) input.setAttribute(name, value);
    dialog = element("dialog", { className: "fw-palette" }, input, list);
    dialog.setAttribute("aria-label", placeholder);
    document.body.append(dialog);
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(find, WAIT);
    });
    input.addEventListener("keydown", onKey);
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
      if (event.target.closest("a")) dialog.close();
    });
  }

  function open() {
    if (!opener()) return;
    if (!dialog?.isConnected) build();
    input.value = "";
    show([]);
    dialog.showModal();
    input.focus();
    offer();
  }

  // What can be done from here: by the page, by the lists of the portal, and by who may enter several tenants.
  async function offer() {
    const { href } = opener();
    if (offered?.href === href) return;
    offered = { href, headings: {}, actions: [] };
    const [search, tenants] = await Promise.all([json(href), json(document.querySelector(SWITCH)?.href)]);
    if (search === undefined) offered = undefined;
    else {
      const { headings, actions } = search.meta;
      const others =
        tenants?.data.filter(({ url }) => !location.pathname.startsWith(new URL(url, href).pathname)) ?? [];
      const choose = ({ label, url }) => ({ label: headings.switch.replace("{{name}}", label), url, icon: "building" });
      offered = { href, headings, actions: [...actions, ...others.map(choose)] };
    }
    if (dialog.open && input.value.trim() === "") show([]);
  }
  const SWITCH = "a.fw-brand-choose";

  async function json(href, options = {}) {
    try {
      const answer = href ? await fetch(href, { headers: { accept: "application/json" }, ...options }) : undefined;
      return answer?.ok ? await answer.json() : undefined;
    } catch {} // the network is away, or a later term was typed
  }

  const isNamed = (term) => {
    const words = term.toLowerCase().split(/\s+/);
    return ({ label }) => words.every((word) => label.toLowerCase().includes(word));
  };
  const group = (label, records) => (records.length > 0 ? [{ label, records }] : []);

  /** The lines of the sidebar whose words have the term in them. */
  function pages(term) {
    const links = [...document.querySelectorAll(".fw-sidebar .fw-nav-link")];
    const records = links.map((link) => ({
      label: wordsOf(link),
      url: link.href,
      drawing: link.querySelector(".icon"),
    }));
    return group(opener().dataset.pages, records.filter(isNamed(term)));
  }

  const HEADER = "main .fw-page-header :is(a[href], button)";
  const ACCOUNT = ".fw-topbar .fw-dropdown-panel :is(a[href], button), .fw-topbar [data-theme-toggle]";
  const isAction = (one) => !one.hidden && !one.closest(".fw-views, .fw-shapes, [role=tablist]");
  const asAction = (one) => ({
    ...{ label: wordsOf(one), url: one.href, drawing: one.querySelector(".icon") },
    run: () => one.click(),
  });
  const drawn = (selector) => [...document.querySelectorAll(selector)].filter(isAction).map(asAction);

  /** What the page does, what the portal offers, and the menu of the account. */
  function actions(term) {
    const page = drawn(HEADER);
    const known = new Set(page.map(({ url }) => url));
    const portal = (offered?.actions ?? []).filter(({ url }) => !known.has(new URL(url, location.href).href));
    const all = [...page, ...portal, ...drawn(ACCOUNT)].filter(({ label }) => label !== "");
    return group(offered?.headings.actions, all.filter(isNamed(term)));
  }
  const wordsOf = (one) =>
    (one.querySelector(":scope > span")?.textContent || one.textContent || "").trim() || (one.ariaLabel ?? "");

  // Pages that this person opened in this tab, the latest first; none where the browser stores nothing.
  const SEEN = "fw-recent";
  const who = () => document.querySelector(".fw-user")?.ariaLabel ?? "";
  function seen() {
    try {
      const stored = JSON.parse(sessionStorage.getItem(SEEN) ?? "{}");
      return stored.who === who() && Array.isArray(stored.pages) ? stored.pages : [];
    } catch {
      return [];
    }
  }
  function remember() {
    const label = document.querySelector("main h1")?.textContent.trim();
    if (!opener() || !label || /\/(new|edit)$/.test(location.pathname)) return;
    const url = location.pathname;
    const pages = [{ label, url }, ...seen().filter((page) => page.url !== url)].slice(0, 20);
    try {
      sessionStorage.setItem(SEEN, JSON.stringify({ who: who(), pages }));
    } catch {} // storage is blocked or full
  }
  function recent() {
    const home = new URL(opener().href).pathname.replace(/_search$/, "");
    const here = seen().filter(({ url }) => url.startsWith(home) && url !== location.pathname);
    return group(
      offered?.headings.recent,
      here.slice(0, RECENT).map((page) => ({ ...page, icon: "clock" })),
    );
  }

  async function find() {
    const term = input.value.trim();
    asked?.abort();
    if (term === "") return show([]);
    asked = new AbortController();
    const url = new URL(opener().href);
    url.searchParams.set("q", term);
    const found = await json(url, { signal: asked.signal });
    if (found && input.value.trim() === term) show(found.data, term);
  }

  function show(found, term = "") {
    const before = term === "" ? [...recent(), ...actions("")] : [...pages(term), ...actions(term)];
    options = [];
    list.replaceChildren(...[...before, ...found].map(drawGroup));
    if (options.length === 0 && term !== "") list.append(element("p", { textContent: opener().dataset.nothing }));
    choose(0);
  }

  function drawGroup({ label = "", records, url: home }) {
    const links = records.map((record) => {
      const { label, line, url, run } = record;
      const words = element("span", {}, label, ...(line ? [element("small", { textContent: line })] : []));
      const option = element(
        "a",
        { id: `fw-palette-${options.length}`, tabIndex: -1 },
        ...drawing(record, home),
        words,
      );
      if (url) option.href = url;
      if (run)
        option.addEventListener("click", (event) => {
          event.preventDefault();
          dialog.close();
          run();
        });
      option.setAttribute("role", "option");
      options.push(option);
      return option;
    });
    const heading = element("div", { className: "fw-palette-heading", textContent: label, ariaHidden: "true" });
    const group = element("div", {}, heading, ...links);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    return group;
  }

  /** The initials of a person, its own icon, that of the sidebar for its list, or one of the shell's. */
  function drawing({ drawing, icon, person }, home) {
    if (person) {
      const avatar = element("i", { className: `fw-p${person.tone}`, ariaHidden: "true" });
      avatar.dataset.i = person.initials;
      return [avatar];
    }
    const line =
      home && document.querySelector(`.fw-sidebar .fw-nav-link[href="${CSS.escape(home.split("?")[0])}"] svg`);
    const found = (drawing ?? line ?? document.querySelector(".fw-sidebar .fw-nav-link svg"))?.cloneNode(true);
    const use = found?.querySelector("use");
    if (use && !drawing && !line)
      use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${icon ?? "point"}`));
    return found ? [found] : [];
  }

  function choose(index) {
    chosen = (index + options.length) % (options.length || 1);
    for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === chosen));
    if (options[chosen]) input.setAttribute("aria-activedescendant", options[chosen].id);
    else input.removeAttribute("aria-activedescendant");
    options[chosen]?.scrollIntoView({ block: "nearest" });
  }

  function onKey(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    else if (event.key === "Enter") options[chosen]?.click();
    else return;
    event.preventDefault();
  }

  document.addEventListener("turbo:load", remember);
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (!opener() || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!isPlain || !event.target.closest?.("a[data-palette]")) return;
    event.preventDefault();
    open();
  });
})();
