// Makes pages nicer; each of them works without it.
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => within.querySelectorAll(selector);

  function toggleTheme() {
    const theme = root.getAttribute("data-bs-theme") === "dark" ? "light" : "dark";
    root.setAttribute("data-bs-theme", theme);
    try {
      localStorage.setItem("fw-theme", theme);
    } catch {} // storage is refused: the choice holds for this page
  }

  function localTimes() {
    const format = new Intl.DateTimeFormat(root.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
    for (const time of all("time[data-local]")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      time.title = time.textContent;
      time.textContent = format.format(at);
      time.removeAttribute("data-local");
    }
  }

  async function search(select, text) {
    const url = new URL(select.dataset.searchUrl, location.href);
    url.searchParams.set("q", text);
    const answer = await fetch(url, { headers: { accept: "application/json" } });
    if (!answer.ok) return [];
    const { data } = await answer.json();
    return data.map((record) => ({
      value: String(record.id ?? record.value),
      text: record.label ?? String(record.id),
    }));
  }

  function associations() {
    if (typeof TomSelect === "undefined") return;
    for (const select of all("select[data-association]:not(.tomselected)")) {
      const load = select.dataset.searchUrl && ((text, done) => search(select, text).then(done, () => done()));
      new TomSelect(select, {
        allowEmptyOption: false,
        maxOptions: 200,
        hidePlaceholder: true,
        refreshThrottle: 0,
        ...(load ? { load, loadThrottle: 200 } : {}),
        render: {
          no_results: () =>
            Object.assign(document.createElement("div"), {
              className: "no-results",
              textContent: select.dataset.noResults ?? "",
            }),
        },
      });
      select.setAttribute("aria-hidden", "true"); // the control in its place has the label
    }
  }

  /** Asks in a dialog, which answers true or false. */
  function ask(content, { text, ok, style = "btn btn-primary" }) {
    const word = (name) => document.querySelector(`meta[name="fw-${name}"]`)?.content ?? "";
    const dialog = document.createElement("dialog");
    dialog.className = "fw-dialog";
    dialog.setAttribute("aria-label", text);
    dialog.append(content ?? Object.assign(document.createElement("p"), { textContent: text }));
    if (!content) {
      const form = Object.assign(document.createElement("form"), { method: "dialog", className: "fw-dialog-actions" });
      for (const [value, label, className] of [
        ["", word("cancel"), "btn"],
        ["yes", ok || word("confirm"), style],
      ]) {
        form.append(Object.assign(document.createElement("button"), { value, textContent: label, className }));
      }
      dialog.append(form);
    }
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) =>
      dialog.addEventListener("close", () => {
        dialog.remove();
        resolve(dialog.returnValue === "yes");
      }),
    );
  }

  /** Shows a confirmation page as a dialog over this one; whatever goes wrong, the page itself is opened. */
  async function confirmPage(link) {
    try {
      const answer = await fetch(link.href, { headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const content = page.querySelector("[data-confirmation]");
      if (!answer.ok || !content) throw new Error("no confirmation");
      content.querySelector("[data-cancel]")?.addEventListener("click", (event) => {
        event.preventDefault();
        event.target.closest("dialog").close();
      });
      await ask(document.adoptNode(content), { text: content.querySelector("h1,h2")?.textContent ?? "" });
    } catch {
      location.assign(link.href);
    }
  }

  const dirty = new Set();
  const isDirty = () => [...dirty].some((form) => form.isConnected);
  const leave = () => !isDirty() || confirm([...dirty].find((form) => form.isConnected).dataset.unsaved);

  function settle() {
    for (const hidden of all("[data-theme-toggle][hidden],[data-dismiss][hidden]")) hidden.hidden = false;
    localTimes();
    associations();
    document.querySelector(".fw-error-summary")?.focus();
  }

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest?.(selector);
    if (on("[data-theme-toggle]")) toggleTheme();
    on("[data-dismiss]")?.parentElement.remove();
    const link = on("a[data-confirm-page]");
    if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      confirmPage(link);
    }
    for (const open of all("details.fw-dropdown[open],details.fw-mobile-menu[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const open of all("details.fw-dropdown[open],details.fw-mobile-menu[open]")) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });
  document.addEventListener("change", (event) => {
    const filters = event.target.closest?.("form[data-autosubmit]");
    if (filters && event.target.matches("select")) filters.requestSubmit();
  });
  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-unsaved]");
    if (form) dirty.add(form);
  });
  document.addEventListener("submit", (event) => dirty.delete(event.target), true);
  addEventListener("beforeunload", (event) => isDirty() && event.preventDefault());
  document.addEventListener("turbo:before-visit", (event) => {
    if (!leave()) event.preventDefault();
    else dirty.clear();
  });
  document.addEventListener("turbo:before-cache", () => {
    for (const select of all("select.tomselected")) select.tomselect?.destroy();
    for (const dialog of all("dialog.fw-dialog")) dialog.remove();
  });
  for (const moment of ["turbo:load", "turbo:render", "turbo:frame-load"]) document.addEventListener(moment, settle);
  if (typeof Turbo !== "undefined") {
    Turbo.config.forms.confirm = (text, _form, submitter) => {
      const style = submitter?.className.includes("danger") ? "btn btn-danger" : "btn btn-primary";
      return ask(undefined, { text, ok: submitter?.textContent.trim() || submitter?.title, style });
    };
  }
  if (typeof Turbo === "undefined") settle();
})();
