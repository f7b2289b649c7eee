// Search over a whole portal, in a dialog that Ctrl+K opens; without it the link leads to the page of the search.
(() => {
  if (window.framewrightPalette) return; // of before a deploy, in a page that was open then
  window.framewrightPalette = true;
  const opener = () => document.querySelector("a[data-palette]");
  const WAIT = 150;
  let dialog, input, list, options, chosen, asked, timer;

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
  }

  /** The lines of the sidebar whose words have the term in them. */
  function pages(term) {
    const links = [...document.querySelectorAll(".fw-sidebar .fw-nav-link")];
    const records = links
      .map((link) => ({ label: link.textContent.trim(), url: link.href }))
      .filter(({ label }) => label.toLowerCase().includes(term.toLowerCase()));
    return records.length > 0 ? [{ label: opener().dataset.pages, records }] : [];
  }

  async function find() {
    const term = input.value.trim();
    asked?.abort();
    if (term === "") return show([]);
    asked = new AbortController();
    const url = new URL(opener().href);
    url.searchParams.set("q", term);
    try {
      const answer = await fetch(url, { headers: { accept: "application/json" }, signal: asked.signal });
      const { data = [] } = answer.ok ? await answer.json() : {};
      if (input.value.trim() === term) show(data, term);
    } catch {} // a later term was typed, or the network is away
  }

  function show(found, term = "") {
    const groups = [...pages(term), ...found];
    options = [];
    list.replaceChildren(...groups.map(drawGroup));
    if (options.length === 0) list.append(element("p", { textContent: opener().dataset.nothing }));
    choose(0);
  }

  function drawGroup({ label, records }) {
    const links = records.map(({ label, url }) => {
      const option = element("a", { href: url, textContent: label, id: `fw-palette-${options.length}`, tabIndex: -1 });
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
