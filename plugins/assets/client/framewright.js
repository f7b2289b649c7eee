// Enhances pages; every page works without it.
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => within.querySelectorAll(selector);

  function store(name, value) {
    try {
      localStorage.setItem(name, value);
    } catch {} // storage is blocked: the choice applies to this page only
  }
  function toggleTheme() {
    const theme = root.getAttribute("data-bs-theme") === "dark" ? "light" : "dark";
    root.setAttribute("data-bs-theme", theme);
    store("fw-theme", theme);
  }

  /** The button that narrows the sidebar to its icons, which have their names as titles then. */
  function narrowButton() {
    const sidebar = document.querySelector(".fw-sidebar[data-narrow]");
    if (!sidebar) return;
    if (!sidebar.querySelector(".fw-collapse")) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "fw-collapse" });
      button.append(Object.assign(document.createElement("span"), { textContent: sidebar.dataset.narrow }));
      sidebar.append(button);
    }
    const isNarrow = root.hasAttribute("data-narrow");
    sidebar.querySelector(".fw-collapse").setAttribute("aria-pressed", String(isNarrow));
    for (const line of all(".fw-nav-link, .fw-nav-group > summary, .fw-search-open, .fw-collapse", sidebar)) {
      const name = (line.querySelector("span") ?? line).textContent.trim();
      if (isNarrow) line.title = name;
      else line.removeAttribute("title");
    }
  }
  function toggleNarrow() {
    const isNarrow = root.toggleAttribute("data-narrow");
    store("fw-sidebar", isNarrow ? "narrow" : "wide");
    narrowButton();
  }

  /** Opens what a link leads to as a menu or a panel below it, loaded when it is asked for. */
  let menuClosed = { at: -Infinity };
  function openMenu(link, isPointer) {
    if (isPointer && menuClosed.link === link && performance.now() - menuClosed.at < 300) return; // the same press has closed it
    const id = link.dataset.popover ?? "fw-switch";
    const className = id === "fw-switch" ? id : "fw-popover";
    const menu = Object.assign(document.createElement("div"), { className, popover: "auto" });
    const frame = Object.assign(document.createElement("turbo-frame"), { id, src: link.href });
    if (id === "fw-switch") frame.setAttribute("target", "_top");
    else {
      menu.setAttribute("role", "dialog");
      menu.setAttribute("aria-label", link.textContent.trim() || link.getAttribute("aria-label"));
    }
    menu.append(frame);
    link.after(menu);
    menu.addEventListener("toggle", ({ newState }) => {
      link.setAttribute("aria-expanded", String(newState === "open"));
      if (newState !== "closed") return;
      menuClosed = { link, at: performance.now() };
      menu.remove();
    });
    frame.addEventListener("turbo:frame-load", () =>
      (
        frame.querySelector("[autofocus]") ?? frame.querySelector("a, button, input:not([type=hidden]), select")
      )?.focus(),
    );
    frame.addEventListener("turbo:frame-missing", (event) => {
      event.preventDefault();
      location.assign(link.href);
    });
    menu.showPopover();
    const { left, bottom } = link.getBoundingClientRect();
    const x = Math.max(8, Math.min(left, document.documentElement.clientWidth - menu.offsetWidth - 8));
    const isFixed = getComputedStyle(menu).position === "fixed";
    const [right, down] = isFixed ? [0, 0] : [scrollX, scrollY];
    Object.assign(menu.style, { left: `${x + right}px`, top: `${bottom + 4 + down}px` });
  }

  /** Shows the links of a panel whose words begin or contain what is typed. */
  function findLink(box) {
    const text = box.value.trim().toLowerCase();
    for (const line of box.parentElement.querySelectorAll("li"))
      line.hidden = !line.textContent.toLowerCase().includes(text);
  }
  function moveLink(event) {
    const place = event.target.closest(".fw-pick");
    const links = [...place.querySelectorAll("li:not([hidden]) > a")];
    const at = links.indexOf(event.target);
    const to = { ArrowDown: links[at + 1], ArrowUp: links[at - 1] ?? place.querySelector("[data-find]") }[event.key];
    if (event.key === "Enter" && at === -1) links[0]?.click();
    else if (!(event.key in { ArrowDown: 1, ArrowUp: 1 })) return;
    event.preventDefault();
    to?.focus();
  }

  /** Keeps which groups of the sidebar are closed, for the pages to come. The click that is handled opens or closes it afterwards. */
  function keepGroup(group) {
    const heading = group.querySelector("summary").textContent.trim();
    let closed = [];
    try {
      closed = localStorage.getItem("fw-closed-groups")?.split("\n") ?? [];
    } catch {} // storage is blocked
    closed = closed.filter((one) => one !== "" && one !== heading);
    store("fw-closed-groups", (group.open ? [...closed, heading] : closed).join("\n"));
  }

  /** Tells the server the time zone, by which it shows and reads times from the next request on. */
  function tellZone() {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const line = `fw_zone=${zone}`;
    if (!zone || document.cookie.split("; ").includes(line)) return;
    const secure = location.protocol === "https:" ? "; secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
    document.cookie = `${line}; path=${document.documentElement.dataset.basePath || "/"}; max-age=31536000; samesite=lax${secure}`;
  }

  /** Shows times that the server drew without knowing the zone, as it will when it does. */
  function localTimes() {
    const parts = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
    const isEnglish = /^en\b/.test(root.lang);
    const format = new Intl.DateTimeFormat(isEnglish ? "en-US" : root.lang, { ...parts, hourCycle: "h23" });
    for (const time of all("time[data-local]")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      const shown = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
      time.title = time.textContent;
      time.textContent = isEnglish
        ? `${shown.day} ${shown.month} ${shown.year}, ${shown.hour}:${shown.minute}`
        : format.format(at);
      time.removeAttribute("data-local");
    }
  }

  const MINUTES_OF = { minute: 1, hour: 60, day: 1440 };
  /** Says in tables how long ago a moment of the last week was; when it was is its title. */
  function agoTimes() {
    const ago = new Intl.RelativeTimeFormat(root.lang || "en", { style: "narrow" });
    for (const time of all(".fw-table td time[datetime*='T']")) {
      const minutes = Math.floor((Date.now() - new Date(time.dateTime)) / 60_000);
      const isRecent = minutes >= 0 && minutes < 7 * MINUTES_OF.day;
      if (!isRecent && time.dataset.at === undefined) continue;
      if (time.dataset.at === undefined) {
        time.dataset.at = time.textContent;
        time.title = [time.textContent, time.title].filter(Boolean).join(", ");
      }
      const unit = minutes < MINUTES_OF.hour ? "minute" : minutes < MINUTES_OF.day ? "hour" : "day";
      const past = Math.max(1, Math.floor(minutes / MINUTES_OF[unit]));
      const shown = isRecent ? ago.format(-past, unit) : time.dataset.at;
      if (time.textContent !== shown) time.textContent = shown;
    }
  }
  setInterval(agoTimes, 60_000);

  async function search(select, text) {
    const url = new URL(select.dataset.searchUrl, location.href);
    url.searchParams.set("q", text);
    const answer = await fetch(url, { headers: { accept: "application/json" } });
    if (!answer.ok) return [];
    const { data, meta } = await answer.json();
    const note = select.tomselect?.dropdown.querySelector(".fw-more");
    if (note) note.textContent = meta?.text ?? "";
    return data.map((record) => ({
      value: String(record.value ?? record.id),
      text: record.label ?? String(record.id),
      line: record.line,
      optgroup: record.group,
    }));
  }

  /** Shows what was loaded in place of what was found before; what is chosen stays, and is listed if it was found. */
  const fresh = (load) =>
    function (text, done) {
      load(text, (found = []) => {
        this.clearOptions();
        this.found = new Set(found.map(({ value }) => value));
        done(found);
      });
    };
  function onlyFound() {
    return ({ value }) => (this.found?.has(value) === false ? 0 : 1);
  }

  /** A choice in the list, with its second line. */
  function listedChoice({ label, text, line }) {
    const choice = Object.assign(document.createElement("div"), { textContent: label ?? text });
    if (line)
      choice.append(Object.assign(document.createElement("small"), { className: "fw-choice-line", textContent: line }));
    return choice;
  }
  /** One of several choices, with a button for mouse and touch; keyboards remove it by Backspace or Delete. */
  function chosenItem(select, { label, text: whole, value }) {
    const text = label ?? whole;
    const item = Object.assign(document.createElement("div"), { textContent: text });
    const remove = Object.assign(document.createElement("button"), { type: "button", className: "fw-unchoose" });
    remove.tabIndex = -1;
    remove.setAttribute("aria-label", `${select.dataset.remove ?? ""} ${text}`.trim());
    for (const kind of ["mousedown", "click"]) {
      remove.addEventListener(kind, (event) => {
        event.preventDefault();
        event.stopPropagation(); // the list would open, or mark the choice
        if (kind !== "click" || select.tomselect.isLocked) return;
        select.tomselect.removeItem(value);
        select.tomselect.refreshOptions(false);
        select.tomselect.inputState();
      });
    }
    item.append(remove);
    return item;
  }

  function associations() {
    if (typeof TomSelect === "undefined") return;
    for (const select of all("select[data-association]:not(.tomselected)")) {
      const beside = select.closest(".fw-field")?.querySelector("[data-beside]");
      const load = select.dataset.searchUrl && ((text, done) => search(select, text).then(done, () => done()));
      const control = new TomSelect(select, {
        allowEmptyOption: false,
        maxOptions: 200,
        hidePlaceholder: true,
        refreshThrottle: 0,
        create: Boolean(beside), // with the two methods below
        delimiter: null,
        ...(matchMedia("(pointer: coarse)").matches ? { closeAfterSelect: true } : {}), // on a phone the list lies over the buttons of its form
        // The server decides what is found, by more than the label maybe; without a text it gives the first ones again.
        ...(load
          ? { load: fresh(load), shouldLoad: () => true, searchField: [], score: onlyFound, loadThrottle: 200 }
          : {}),
        render: {
          no_results: () => {
            const text = select.dataset.noResults ?? "";
            const none = Object.assign(document.createElement("div"), { className: "no-results", textContent: text });
            none.setAttribute("role", "option"); // a listbox has options, and this one can't be chosen
            none.setAttribute("aria-disabled", "true");
            return none;
          },
          option: listedChoice,
          option_create: () =>
            make(
              "div",
              { className: "create", role: "option", style: "color:inherit" },
              make("i", { className: "icon i-plus" }),
              beside.textContent,
            ),
          item: (choice) =>
            select.multiple
              ? chosenItem(select, choice)
              : Object.assign(document.createElement("div"), { textContent: choice.label ?? choice.text }),
        },
      });
      const more = Object.assign(document.createElement("p"), {
        className: "fw-more",
        textContent: select.dataset.more ?? "",
      });
      control.dropdown.append(more);
      if (beside) {
        beside.hidden = true;
        control.canCreate = () => true;
        control.createItem = () => {
          if (!control.isOpen) return false; // Enter sends the form
          control.close();
          control.settings.openOnFocus = false; // until the focus is back from the dialog
          openBeside(beside, control);
          return true;
        };
      }
      select.setAttribute("aria-hidden", "true"); // the replacing control has the label
    }
  }

  /** Loads what inputs of Markdown have beside them, with the first of them. */
  function editors() {
    if (window.fwMarkdown) return window.fwMarkdown();
    const editor = document.querySelector("[data-markdown]");
    if (!editor || document.querySelector("script[data-editors]")) return;
    const script = Object.assign(document.createElement("script"), { src: editor.dataset.markdown });
    script.dataset.editors = "";
    document.head.append(script);
  }

  /** Shows a confirmation dialog; resolves to true or false. */
  function ask(content, { text, ok, stay, style = "btn btn-primary" }) {
    const word = (name) => document.querySelector(`meta[name="fw-${name}"]`)?.content ?? "";
    const dialog = document.createElement("dialog");
    dialog.className = "fw-dialog";
    dialog.setAttribute("aria-label", text);
    dialog.append(content ?? Object.assign(document.createElement("p"), { textContent: text }));
    if (!content) {
      const form = Object.assign(document.createElement("form"), { method: "dialog", className: "fw-dialog-actions" });
      for (const [value, label, className] of [
        ["", stay || word("cancel"), "btn"],
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

  /** Shows a confirmation page as a dialog over this one; on any error, the page itself is opened. */
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
      const form = content.querySelector('form[data-turbo="false"]'); // a download leaves this page open
      form?.addEventListener("submit", () => setTimeout(() => form.closest("dialog")?.close()));
      await ask(document.adoptNode(content), { text: content.querySelector("h1,h2")?.textContent ?? "" });
    } catch {
      location.assign(link.href);
    }
  }

  const make = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const messages = () => document.getElementById("fw-flashes");

  /** Messages stand over the page; what says that something worked goes by itself, unless it is pointed at or in focus. */
  const announced = new WeakSet();
  function announce() {
    for (const message of all("#fw-flashes > .fw-flash")) {
      if (announced.has(message)) continue;
      announced.add(message);
      const region = messages();
      message.remove(); // screen readers say what comes into a region that is there
      setTimeout(() => region.append(message), 50);
      if (message.matches(".fw-flash-success:not(:has(form))")) setTimeout(() => dismiss(message), 6000); // what can be undone stays
    }
  }
  function dismiss(message) {
    if (message.matches(":hover, :focus-within")) setTimeout(() => dismiss(message), 2000);
    else message.remove();
  }

  /** Says that the server was not reached: in the form that was to be sent, else over the page. */
  function sayUnreachable(form) {
    for (const old of all("[data-unreached]")) old.remove();
    const { unreachable, close } = messages()?.dataset ?? {};
    if (unreachable === undefined) return;
    const text = make("p", { textContent: unreachable });
    const footer = form?.querySelector(".fw-form-footer");
    const message = make("div", { className: `fw-${footer ? "notice fw-notice" : "flash fw-flash"}-warning` }, text);
    message.setAttribute("role", "alert");
    message.dataset.unreached = "";
    if (footer) return footer.before(message);
    const button = make("button", { type: "button", className: "fw-flash-close", textContent: "×", ariaLabel: close });
    button.dataset.dismiss = "";
    message.append(button);
    messages().append(message);
  }

  /** Shows in a button that what it sends is on its way, and says so beside it where the form has room for that. */
  function showBusy({ formElement: form, submitter }) {
    const button = submitter ?? form.querySelector(".btn-primary");
    button?.setAttribute("aria-busy", "true");
    for (const old of all("[data-unreached]", form)) old.remove();
    const footer = form.matches("[data-unsaved]") && form.querySelector(".fw-form-footer");
    const note = make("span", { className: "fw-saving" });
    note.setAttribute("role", "status");
    for (const changes of all(".fw-changes", form)) changes.style.visibility = "hidden"; // buttons stay where they are
    if (footer) footer.prepend(note);
    note.textContent = `${messages()?.dataset.saving ?? ""}…`; // the page itself has no character beyond Latin-1
  }
  function endBusy({ formElement: form, submitter }) {
    (submitter ?? form.querySelector(".btn-primary"))?.removeAttribute("aria-busy");
    for (const note of all(".fw-saving", form)) note.remove();
    for (const changes of all(".fw-changes", form)) changes.style.visibility = "";
  }

  /** Says at the foot of a form how many of its fields were changed. */
  function countChanges(form) {
    const footer = form.dataset.changes && form.querySelector(".fw-form-footer");
    if (!footer) return;
    const isChanged = (input) => {
      if (input.type === "checkbox" || input.type === "radio") return input.checked !== input.defaultChecked;
      if (!input.options) return input.value !== input.defaultValue;
      const options = [...input.options];
      if (input.multiple) return options.some((option) => option.selected !== option.defaultSelected);
      return input.value !== (options.find((option) => option.defaultSelected) ?? options[0])?.value;
    };
    const inputs = all("input:not([type=hidden]), select, textarea", form);
    const names = new Set([...inputs].filter((input) => input.name && isChanged(input)).map(({ name }) => name));
    const note = footer.querySelector(".fw-changes") ?? make("span", { className: "fw-changes" });
    note.textContent = names.size > 0 ? `${form.dataset.changes} ${names.size}` : "";
    footer.prepend(note);
  }

  const dirty = new Set();
  let left = []; // those of the page that is being left
  const isDirty = () => [...dirty].some((form) => form.isConnected);
  const leave = () => !isDirty() || confirm([...dirty].find((form) => form.isConnected).dataset.unsaved);

  /** Autosaves the step of a wizard, shortly after the last key. */
  const waiting = new WeakMap();
  const secrets = (form) => [...all("input[type=password]", form)].some((input) => input.value !== "");
  const files = (form) => [...all("input[type=file]", form)].some((input) => input.files.length > 0);

  async function save(form) {
    if (!form.isConnected || secrets(form)) return;
    const typed = new URLSearchParams(
      [...new FormData(form)].filter(([name, value]) => typeof value === "string" && /^(_zone_)?wizard\[/.test(name)),
    );
    const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    const saving = form.action;
    const answer = await fetch(saving, {
      method: "PUT",
      body: typed,
      headers: { "x-csrf-token": token, accept: "application/json" },
    }).catch(() => undefined);
    if (!answer?.ok) return;
    const note = form.querySelector("[data-saved]");
    if (note) note.textContent = note.dataset.saved;
    if (!files(form)) dirty.delete(form);
  }
  function saveSoon(form) {
    clearTimeout(waiting.get(form));
    const note = form.querySelector("[data-saved]");
    if (note) note.textContent = "";
    waiting.set(
      form,
      setTimeout(() => save(form), 800),
    );
  }

  /** Draws the fields of a form again that depend on what was filled in: shown or hidden, with other choices. */
  const drawn = new WeakMap();
  async function redraw(form) {
    const number = (drawn.get(form) ?? 0) + 1;
    drawn.set(form, number);
    const typed = new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string"));
    typed.set("_refresh", "1");
    const answer = await fetch(form.action, {
      method: "POST",
      body: typed,
      headers: { accept: "text/html" },
    }).catch(() => undefined);
    if (answer?.status !== 422 || drawn.get(form) !== number) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const path = new URL(form.action).pathname;
    const again = [...all("form", page)].find(
      (one) =>
        one.querySelector("[data-dynamic]") && new URL(one.getAttribute("action"), location.href).pathname === path,
    );
    if (!again || drawn.get(form) !== number) return;
    for (const place of all("[data-slot]", form)) {
      const fresh = [...all("[data-slot]", again)].find((one) => one.dataset.slot === place.dataset.slot);
      if (!fresh || fresh.dataset.state === place.dataset.state) continue;
      for (const select of all("select.tomselected", place)) select.tomselect?.destroy();
      place.replaceWith(document.adoptNode(fresh));
    }
    associations();
    editors();
    tabs();
  }

  /** The dialog that forms are opened in, on pages with navigation: closed, it is a tenth of a page. */
  function addModal() {
    if (modal() || !document.querySelector("body:is(.fw-shell, .fw-site)")) return;
    const close = make(
      "button",
      { type: "button", className: "fw-icon-button fw-modal-close", ariaLabel: messages()?.dataset.close ?? "" },
      make("i", { className: "icon i-x" }),
    );
    close.dataset.modalClose = "";
    const dialog = make("dialog", { className: "fw-modal" }, close, make("turbo-frame", { id: "modal" }));
    dialog.dataset.modal = "";
    document.body.append(dialog);
  }
  /** Opens the dialog when its frame has loaded; clears the frame when the dialog closes. */
  const modal = () => document.querySelector("dialog[data-modal]");
  let openedBy; // the link that opened it
  function openModal() {
    const dialog = modal();
    dialog.toggleAttribute("data-panel", openedBy?.dataset.open === "panel");
    const heading = dialog.querySelector("h1,h2");
    if (heading) dialog.setAttribute("aria-label", heading.textContent.trim());
    const isTyping = dialog.open && dialog.querySelector("form")?.contains(document.activeElement);
    if (!dialog.open) dialog.showModal();
    if (dialog.querySelector(".fw-error-summary"))
      // what was typed is there still, and nowhere else
      for (const form of all("form[data-unsaved]", dialog)) dirty.add(form);
    if (isTyping) return;
    dialog
      .querySelector(".fw-error-summary, [autofocus], .fw-field input, .fw-field select, .fw-field textarea")
      ?.focus();
  }
  /** Gives a link the focus; where it is in a closed menu, the menu. */
  const focusOn = (link) =>
    (link?.checkVisibility() ? link : link?.closest("details")?.querySelector("summary"))?.focus({
      preventScroll: true,
    });
  /** Closes the dialog, unless something was typed there and the person stays; a step that saves itself is not lost. */
  async function closeModal() {
    const dialog = modal();
    const typedIn = [...dirty].find((form) => dialog.contains(form) && !form.matches("[data-autosave]"));
    if (!typedIn || (await ask(undefined, { text: typedIn.dataset.unsaved, style: "btn btn-danger" }))) dialog.close();
  }
  /** Draws the page behind the dialog anew: it stays where it was scrolled to, and the focus on the link that opened the dialog. */
  function drawBehind({ location: led, from, to }) {
    const path = location.pathname;
    const isMoved = from !== undefined && (path === from || path.startsWith(`${from}/`));
    const address = new URL(led ?? (isMoved ? to : location.href), location.href).href;
    const link = openedBy?.getAttribute("href");
    const [top, lefts] = [scrollY, [...all(".fw-table-wrap")].map((one) => one.scrollLeft)];
    modal().close();
    if (address === location.href) {
      const back = () => {
        if (location.href !== address) return;
        for (const [at, one] of [...all(".fw-table-wrap")].entries()) one.scrollLeft = lefts[at] ?? 0;
        scrollTo({ top, behavior: "instant" });
        const same = [...all("a[data-open]")].find((one) => one.getAttribute("href") === link);
        if (same) focusOn(same);
        else document.getElementById("main").focus({ preventScroll: true });
      };
      document.addEventListener("turbo:load", back, { once: true });
    }
    Turbo.visit(address, { action: address === location.href ? "replace" : "advance" });
  }
  function emptyModal(dialog) {
    const frame = dialog.querySelector("turbo-frame");
    for (const form of all("form[data-autosave]", dialog)) if (dirty.has(form)) save(form);
    for (const form of [...dirty]) if (dialog.contains(form)) dirty.delete(form);
    frame.removeAttribute("src");
    frame.replaceChildren();
    const control = openedBy?.closest(".ts-wrapper")?.previousElementSibling.tomselect;
    if (control) openedBy.blur(); // Chromium lets nobody type where the dialog put the focus back
    if (openedBy?.isConnected) focusOn(openedBy);
    if (control) control.settings.openOnFocus = true;
    openedBy = undefined;
  }

  const TAB_PANELS = ":scope > :is(.fw-fieldset, .fw-panel)";
  const openedTab = () => `fw-tab ${location.pathname}`;
  /** Groups of fields, and parts of a record's page, that stand together become tabs; those of which nothing is shown have none. */
  function tabs() {
    for (const [at, place] of all("[data-tabs]").entries()) {
      const panels = [...all(TAB_PANELS, place)];
      if (!place.querySelector(":scope > .fw-tablist")) {
        const list = Object.assign(document.createElement("div"), { className: "fw-tablist" });
        list.setAttribute("role", "tablist");
        for (const [number, panel] of panels.entries()) {
          panel.id ||= `fw-tab-${at}-${number}`;
          panel.setAttribute("role", "tabpanel");
          const tab = make("button", { type: "button" });
          tab.setAttribute("role", "tab");
          const heading = document.getElementById(panel.getAttribute("aria-labelledby"));
          tab.append(...(heading?.cloneNode(true).childNodes ?? [panel.getAttribute("aria-label")]));
          tab.id = `${panel.id}-tab`;
          tab.setAttribute("aria-controls", panel.id);
          list.append(tab);
        }
        place.prepend(list);
      }
      const buttons = [...all(":scope > .fw-tablist > button", place)];
      for (const [number, panel] of panels.entries()) {
        buttons[number].hidden = panel.matches(".fw-fieldset") && !panel.querySelector(".fw-field, dt, pre, iframe");
        buttons[number].classList.toggle("is-invalid", panel.querySelector(".fw-field-errors") !== null);
      }
      const shown = buttons.filter((tab) => !tab.hidden);
      const current = shown.find((tab) => tab.getAttribute("aria-selected") === "true");
      const invalid = shown.find((tab) => tab.classList.contains("is-invalid"));
      const left = shown.find((tab) => tab.id === sessionStorage.getItem(openedTab()));
      const first = current ?? invalid ?? left ?? shown[0];
      if (first) openTab(first);
    }
    if (location.hash) revealIn(document.getElementById(location.hash.slice(1)));
  }
  function openTab(tab) {
    for (const other of tab.parentElement.children) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
  }
  /** Opens the tab that a person chose; they find it open when they come back. */
  function chooseTab(tab) {
    openTab(tab);
    sessionStorage.setItem(openedTab(), tab.id);
  }
  /** Opens the tab that something on the page stands in. */
  function revealIn(target) {
    const panel = target?.closest("[data-tabs] > :is(.fw-fieldset, .fw-panel)");
    const tab = panel && document.getElementById(`${panel.id}-tab`);
    if (tab) openTab(tab);
  }
  function moveTab(event) {
    const tabs = [...event.target.parentElement.children].filter((tab) => !tab.hidden);
    const at = tabs.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    chooseTab(tabs[to % tabs.length]);
    tabs[to % tabs.length].focus();
  }

  /** Moves a column of the list's panel one place up or down. */
  function moveColumn(button) {
    const line = button.closest("li");
    const isUp = button.value.startsWith("-");
    const other = isUp ? line.previousElementSibling : line.nextElementSibling;
    if (isUp) other?.before(line);
    else other?.after(line);
    button.focus();
  }
  /** Orders a list by a column after those that it is ordered by already; by one of them the other way round. */
  function sortAlso(link) {
    const url = new URL(location.href);
    const given = url.searchParams.getAll("sort").concat(url.searchParams.getAll("sort[]")).join();
    const names = given.split(",").filter((one) => one !== "");
    const name = new URL(link.href).searchParams.get("sort").replace(/^-/, "");
    const at = names.findIndex((one) => one.replace(/^-/, "") === name);
    if (at < 0) names.push(name);
    else names[at] = names[at].startsWith("-") ? name : `-${name}`;
    for (const one of ["sort[]", "page", "after"]) url.searchParams.delete(one);
    url.searchParams.set("sort", names.join());
    if (typeof Turbo === "undefined") location.assign(url);
    else Turbo.visit(url);
  }

  /** The button beside a select that opened the form of another record in the dialog; what is made there is chosen. */
  let besideOf;
  function openBeside(button, control) {
    besideOf = button;
    openedBy = control?.control_input ?? button;
    modal().querySelector("turbo-frame").src = button.dataset.beside;
  }
  function choose({ dataset: { chosen, label } }) {
    const select = besideOf?.closest(".fw-field")?.querySelector("select");
    modal().close();
    if (!select?.isConnected) return;
    if (!select.multiple) select.value = "";
    if (select.tomselect) {
      select.tomselect.addOption({ value: chosen, text: label });
      select.tomselect.addItem(chosen, true);
    } else select.append(new Option(label, chosen, true, true));
    for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  /** After a button of rows, moves the focus into their list. */
  let pressed;
  const rowsAt = (path) => [...all("[data-rows]")].find((list) => list.dataset.rows === path);
  const isRowButton = ({ name }) => ["_add", "_remove", "_restore", "_up", "_down", "_copy"].includes(name);
  function goOn() {
    const { name, value } = pressed ?? {};
    pressed = undefined;
    if (!isRowButton({ name })) return;
    const list = rowsAt(name === "_add" ? value : value.replace(/\.\d+$/, ""));
    const last = list && name === "_add" ? rowsIn(list).at(-1) : undefined;
    (last ? firstInput(last) : list)?.focus();
  }

  /** Rows of a form: their buttons do without a request what the server does with one. */
  const rowsIn = (list) => [...list.children].filter((one) => one.matches("[data-row]"));
  const firstInput = (row) => row.querySelector("input:not([type=hidden]), select, textarea") ?? row;
  const isStoredRow = (row) => row.querySelector(":scope > input[data-destroy]") !== null;
  const isRemovedRow = (row) => row.classList.contains("fw-entry-removed");

  /** Gives a row another number: in names, ids and paths of all that is within it, and in what it is called. */
  function renumber(list, row, to) {
    const from = row.dataset.row;
    const { name, rows } = list.dataset;
    const starts = [`${name}[${from}]`, `${list.id}-${from}`, `${rows}.${from}`];
    const ends = [`${name}[${to}]`, `${list.id}-${to}`, `${rows}.${to}`];
    const renamed = (text) => {
      const at = starts.findIndex((start) => text.startsWith(start) && !/^\d/.test(text.slice(start.length)));
      return at < 0 ? text : ends[at] + text.slice(starts[at].length);
    };
    const names = ["name", "id", "for", "data-slot", "data-rows", "data-name", "data-picks"];
    const visit = (node) => {
      for (const one of names) if (node.hasAttribute(one)) node.setAttribute(one, renamed(node.getAttribute(one)));
      const described = node.getAttribute("aria-describedby");
      if (described) node.setAttribute("aria-describedby", described.split(" ").map(renamed).join(" "));
      if (node.matches("button") && isRowButton(node)) node.value = renamed(node.value);
      for (const child of (node.content ?? node).children) visit(child);
    };
    visit(row);
    row.dataset.row = to;
    for (const one of all("[data-row-number]", row))
      if (one.closest("[data-row]") === row) one.textContent = list.dataset.label.replace("#", Number(to) + 1);
  }
  /** Numbers the rows as they stand, and turns the buttons off that would add one too many. */
  function settleRows(list) {
    const rows = rowsIn(list);
    for (const [at, row] of rows.entries()) renumber(list, row, `fw-row-${at}`); // radio buttons of two rows never share a name
    for (const [at, row] of rows.entries()) renumber(list, row, String(at));
    const isFull = rows.filter((row) => !isRemovedRow(row)).length >= Number(list.dataset.maximum);
    const own = (button) => button.closest("[data-rows]") === list;
    for (const button of all('button[name="_add"], button[name="_copy"], button[name="_restore"]', list))
      if (own(button)) button.disabled = isFull;
    const note = document.getElementById(`${list.id}_full`);
    if (note) note.hidden = !isFull;
    associations();
    editors();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  }
  /** What an input has now is a property, which a copy of a list to choose from does not get. */
  function copyOf(row) {
    const copy = row.cloneNode(true);
    const chosen = [...all("select", row)];
    for (const [at, select] of [...all("select", copy)].entries()) select.selectedIndex = chosen[at].selectedIndex;
    for (const mark of all(":scope > [data-identity]", copy)) mark.remove();
    return copy;
  }
  function markRow(row, isRemoved) {
    row.classList.toggle("fw-entry-removed", isRemoved);
    row.querySelector(":scope > input[data-destroy]").value = isRemoved ? "1" : "";
    for (const one of all(":scope > .fw-row-buttons > button", row))
      one.hidden = (one.name === "_restore") !== isRemoved;
    row.querySelector(":scope > .fw-row-removed").hidden = !isRemoved;
  }
  /** Presses a button of rows; false where the server has to. */
  function pressRowButton(button) {
    const list = button.closest("[data-rows]");
    const row = button.name === "_add" ? undefined : button.closest("[data-row]");
    const template = list?.querySelector(":scope > template");
    if (!template || list.querySelector("[data-slot]")) return false; // what depends on others is drawn by the server
    const rows = rowsIn(list);
    switch (button.name) {
      case "_add": {
        const added = template.content.firstElementChild.cloneNode(true);
        template.before(added);
        settleRows(list);
        firstInput(added).focus();
        return true;
      }
      case "_copy": {
        if (row.querySelector(".tomselected, input[type=file], [data-markdown]")) return false;
        const copy = copyOf(row);
        row.after(copy);
        settleRows(list);
        firstInput(copy).focus();
        return true;
      }
      case "_remove": {
        if (isStoredRow(row)) markRow(row, true);
        else row.remove();
        settleRows(list);
        (row.isConnected ? row.querySelector('[name="_restore"]') : list).focus();
        return true;
      }
      case "_restore":
        markRow(row, false);
        settleRows(list);
        row.querySelector('[name="_remove"]').focus();
        return true;
      default: {
        const other = rows[rows.indexOf(row) + (button.name === "_up" ? -1 : 1)];
        if (button.name === "_up") other?.before(row);
        else other?.after(row);
        settleRows(list);
        button.focus();
        return true;
      }
    }
  }
  /** Rows are dragged by their handles. */
  let draggedRow;
  function dragRows() {
    for (const handle of all(".fw-row-handle[hidden]"))
      if (!handle.closest(".fw-repeated").querySelector("[data-slot]")) handle.hidden = false;
  }
  document.addEventListener("dragstart", (event) => {
    draggedRow = event.target.closest?.(".fw-row-handle")?.closest("[data-row]");
    if (!draggedRow) return;
    event.dataTransfer.setData("text/plain", ""); // without data some browsers drag nothing
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setDragImage(draggedRow, 0, 0);
  });
  document.addEventListener("dragover", (event) => {
    const list = draggedRow?.parentElement;
    const over = list && rowsIn(list).find((row) => row.contains(event.target));
    if (!over) return;
    event.preventDefault();
    if (over === draggedRow) return;
    const { top, height } = over.getBoundingClientRect();
    const isAbove = event.clientY < top + height / 2;
    const isBefore = (over.compareDocumentPosition(draggedRow) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    if (isAbove && !isBefore) over.before(draggedRow);
    else if (!isAbove && isBefore) over.after(draggedRow);
  });
  document.addEventListener("dragend", () => {
    if (draggedRow) settleRows(draggedRow.parentElement);
    draggedRow = undefined;
  });

  /** Rows of a list that are selected: while there are some, a bar offers what can be done to them. */
  let marked;
  const rowBoxes = () => [...all('input[name="ids[]"][form]')];
  const bulk = () => document.querySelector("form[data-bulk]");
  function showSelection() {
    const form = bulk();
    if (!form) return;
    const boxes = rowBoxes();
    const count = boxes.filter((box) => box.checked).length;
    const isPage = count === boxes.length;
    const head = document.querySelector("[data-select-page]");
    Object.assign(head, { hidden: false, checked: isPage, indeterminate: count > 0 && !isPage });
    const every = form.querySelector("[data-bulk-all]");
    const box = every?.querySelector("input");
    if (every) every.hidden = !isPage;
    if (box && !isPage) box.checked = false;
    form.querySelector("[data-bulk-count]").textContent =
      count === 0 ? "" : box?.checked ? form.dataset.all : form.dataset.selected.replace("#", count);
    for (const button of all("[data-bulk-clear],[data-bulk-page]", form)) button.hidden = false;
    form.hidden = count === 0;
  }
  function selectPage(checked) {
    for (const box of rowBoxes()) box.checked = checked;
    showSelection();
  }
  /** A click with shift gives all rows since the last one the same state. */
  function selectRange(box, isRange) {
    const boxes = rowBoxes();
    const [from, to] = [boxes.indexOf(marked), boxes.indexOf(box)].sort((a, b) => a - b);
    if (isRange && from >= 0) for (const one of boxes.slice(from, to + 1)) one.checked = box.checked;
    marked = box;
  }

  /** Shows what a list has while it is typed: all of the page is that of the answer but the box that is typed into. */
  let finding;
  function findSoon(box) {
    clearTimeout(finding);
    finding = setTimeout(() => find(box, finding), 300);
  }
  async function find(box, number) {
    const url = new URL(box.form.action);
    for (const [name, value] of new FormData(box.form)) if (value !== "") url.searchParams.append(name, value);
    const place = box.closest(".fw-search");
    place.ariaBusy = "true";
    const answer = await fetch(url, { headers: { accept: "text/html" } }).catch(() => undefined);
    const text = answer?.ok ? await answer.text() : "";
    if (finding === number) place.ariaBusy = null;
    const found = new DOMParser().parseFromString(text, "text/html").querySelector("form[data-autosubmit] .fw-search");
    if (!found || finding !== number || !box.isConnected) return; // typed on, sent, or another page: as it is without this
    replaceAround(place, found);
    history.replaceState(history.state, "", answer.url);
    settle();
    const status = place.querySelector("[role=status]") ?? document.createElement("span");
    Object.assign(status, { className: "visually-hidden", role: "status" });
    place.append(status);
    status.textContent = document.querySelector(".fw-page-header p")?.textContent ?? "";
  }
  /** Gives an element, and those around it up to the main part of the page, the siblings of another one. */
  function replaceAround(place, other) {
    const main = document.getElementById("main");
    for (let [here, there] = [place, other]; here !== main; [here, there] = [here.parentElement, there.parentElement]) {
      const nodes = [...there.parentElement.childNodes];
      for (const node of [...here.parentElement.childNodes]) if (node !== here) node.remove();
      here.before(...nodes.slice(0, nodes.indexOf(there)));
      here.after(...nodes.slice(nodes.indexOf(there) + 1));
    }
  }

  /** Reloads a page that shows work in progress. */
  function refresh(place) {
    setTimeout(() => {
      if (!place.isConnected) return;
      const frame = place.closest("turbo-frame");
      if (frame?.src) frame.reload();
      else location.reload();
    }, Number(place.dataset.refresh) * 1000);
    place.removeAttribute("data-refresh");
  }

  /** Puts the usual actions into the rows of a table: they stand beside it once, without the address and the name of a record. */
  function fillRows() {
    for (const { content, dataset, nextElementSibling: table } of all("template[data-row-actions]"))
      for (const cell of all("td.fw-row-actions:not([data-full])", table)) {
        const link = cell.parentElement.querySelector(".fw-row-link");
        if (!link) continue;
        cell.dataset.full = "";
        const place = cell.firstElementChild ?? cell.appendChild(make("div"));
        const without = cell.dataset.without?.split(" ") ?? [];
        const url = link.getAttribute("href").split("?", 1)[0];
        const name = cell.dataset.name ?? link.textContent;
        const actions = [...content.cloneNode(true).children];
        for (const [at, key] of dataset.rowActions.split(" ").entries()) {
          if (without.includes(key)) continue;
          const action = actions[at];
          for (const { name: attribute, value } of [...action.attributes])
            action.setAttribute(
              attribute,
              value.replace("{url}", () => url).replace("{name}", () => name),
            );
          if (key === "edit") place.prepend(action);
          else place.append(action);
        }
      }
  }
  /** Hides the columns of tables that do not fit, those of the lowest priority first, behind a button that shows them all. */
  const cellsAt = (table, at) => [...table.rows].map((row) => row.cells[at]).filter(Boolean);
  function fitColumns(isAgain) {
    const isChosen = new URLSearchParams(location.search).has("columns");
    const isNarrow = matchMedia("(max-width: 640px)").matches;
    for (const wrap of all(`.fw-table-wrap[data-more-columns]${isAgain ? "" : ":not([data-fits])"}`)) {
      wrap.dataset.fits = "";
      const table = wrap.querySelector("table");
      const headers = [...table.tHead.rows[0].cells];
      wrap.querySelector(".fw-more-columns")?.remove();
      for (const [at, one] of headers.entries())
        if (one.hidden) for (const cell of cellsAt(table, at)) cell.hidden = false;
      if (isChosen || isNarrow || wrap.dataset.whole !== undefined) continue;
      const named = headers.filter(
        (one) => !one.matches(".fw-select, .fw-row-actions") && one.textContent.trim() !== "",
      );
      const rank = ({ dataset }) => Number(dataset.priority ?? 0);
      const mayLeave = named.slice(1).filter((one) => !one.matches("[aria-sort], [data-width]")); // a width is a choice
      mayLeave.reverse().sort((a, b) => rank(a) - rank(b));
      const gone = [];
      let button;
      while (wrap.scrollWidth > wrap.clientWidth + 1 && gone.length < mayLeave.length) {
        const next = mayLeave[gone.length];
        for (const cell of cellsAt(table, next.cellIndex)) cell.hidden = true;
        gone.push(next);
        button ??= make("button", { type: "button", className: "fw-more-columns", textContent: "+99" }); // as wide as it becomes
        named.findLast((one) => !one.hidden).append(button);
      }
      if (!button) continue;
      const left = named.filter((one) => one.hidden);
      button.textContent = `+${left.length}`;
      button.title = `${wrap.dataset.moreColumns}: ${left.map((one) => one.textContent.trim()).join(", ")}`;
      button.setAttribute("aria-label", `${button.textContent} ${button.title}`);
    }
  }
  function showColumns(wrap) {
    const [first] = [...all("th", wrap)].filter((one) => one.hidden);
    wrap.dataset.whole = "";
    fitColumns(true);
    first.scrollIntoView({ block: "nearest", inline: "center" });
    first.querySelector("a")?.focus({ preventScroll: true });
  }
  let fitting;
  addEventListener("resize", () => {
    cancelAnimationFrame(fitting);
    fitting = requestAnimationFrame(() => fitColumns(true));
  });
  /** Gives a summary of faults the focus when it appears, and not again when a frame beside it has loaded: somebody types by then. */
  function readFaults() {
    const summary = document.querySelector(".fw-error-summary:not([data-read])");
    if (!summary) return;
    summary.dataset.read = "";
    summary.focus();
  }
  /** Makes tools that stand together one stop of the Tab key; arrows lead from one to the next. */
  const toolsIn = (bar) => [...all(":scope > :is(a[href], button)", bar)];
  function joinTools() {
    for (const bar of all(".fw-toolbar-end:not([data-joined])")) {
      const tools = toolsIn(bar);
      if (tools.length < 2) continue;
      bar.dataset.joined = "";
      bar.setAttribute("role", "toolbar");
      for (const tool of tools.slice(1)) tool.tabIndex = -1;
    }
  }
  document.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const bar = step && event.target.closest?.(".fw-toolbar-end[data-joined]");
    if (!bar) return;
    const tools = toolsIn(bar);
    const next = tools[tools.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    for (const tool of tools) tool.tabIndex = tool === next ? 0 : -1;
    next.focus();
  });
  function settle({ type } = {}) {
    addModal();
    window.Turbo?.cache.exemptPageFromPreview();
    for (const place of all("[data-refresh]")) refresh(place);
    fillRows();
    fitColumns(type !== "turbo:frame-load"); // what is edited in a cell needs more room, and stays
    showSelection();
    for (const hidden of all("[data-theme-toggle][hidden],[data-dismiss][hidden],[data-picks][hidden]"))
      hidden.hidden = false;
    narrowButton();
    tellZone();
    localTimes();
    agoTimes();
    associations();
    editors();
    tabs();
    dragRows();
    joinTools();
    readFaults();
    announce();
    goOn();
  }

  /** Loads the shortcuts of the keyboard, with the first key that may be one or by the link to their list, and lets them have it. */
  let hasKeys = false;
  function loadKeys(again) {
    const link = document.querySelector("a[data-keys]");
    if (!link || hasKeys) return false;
    hasKeys = true;
    const script = document.createElement("script");
    script.addEventListener("load", () => again(link));
    script.src = link.dataset.keys;
    document.head.append(script);
    return true;
  }
  const typed = "input:not([type=checkbox],[type=radio]), textarea, select, [contenteditable]";
  document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (key.length !== 1 || ctrlKey || metaKey || altKey || target.closest?.(typed)) return;
    loadKeys(() => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
  });
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const isAsked = isPlain && event.target.closest?.("a[data-keys]");
    if (isAsked && loadKeys((link) => link.click())) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest?.(selector);
    if (on("[data-theme-toggle]")) toggleTheme();
    if (on(".fw-collapse")) toggleNarrow();
    const choose = on("a.fw-brand-choose, a[data-popover]");
    const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (choose?.origin === location.origin && isPlainClick && choose.showPopover && typeof Turbo !== "undefined") {
      event.preventDefault();
      openMenu(choose, event.detail > 0);
    }
    const heading = on(".fw-nav-group > summary");
    if (heading) keepGroup(heading.parentElement);
    on("[data-dismiss]")?.parentElement.remove();
    const columns = on(".fw-more-columns");
    if (columns) showColumns(columns.closest(".fw-table-wrap"));
    if (on("a.fw-skip")) {
      event.preventDefault(); // the address stays that of the page
      document.getElementById("main").focus();
    }
    const close = on("[data-modal-close], dialog[data-modal] [data-cancel]");
    if (close?.closest("dialog")) {
      if (close.matches("a")) event.preventDefault();
      closeModal();
    }
    const opening = on("a[data-open]");
    if (opening && isPlainClick) openedBy = opening;
    const tab = on(".fw-tablist button");
    if (tab) chooseTab(tab);
    const fault = on(".fw-error-summary a[href^='#']");
    if (fault) revealIn(document.getElementById(fault.hash.slice(1)));
    const move = on("button[data-move]");
    if (move) {
      event.preventDefault();
      moveColumn(move);
    }
    const rowButton = on("[data-rows] button[name]");
    if (rowButton && isRowButton(rowButton) && pressRowButton(rowButton)) event.preventDefault();
    const sort = event.shiftKey && !event.ctrlKey && !event.metaKey && on("a.fw-sort");
    if (sort) {
      event.preventDefault();
      sortAlso(sort);
    }
    const beside = on("button[data-beside]");
    if (beside && modal() && !modal().contains(beside) && typeof Turbo !== "undefined") {
      event.preventDefault();
      openBeside(beside);
    }
    if (event.target.matches?.('input[name="ids[]"][form]')) selectRange(event.target, event.shiftKey);
    if (on("[data-bulk-page]")) selectPage(true);
    if (on("[data-bulk-clear]")) {
      selectPage(false);
      rowBoxes()[0]?.focus();
    }
    const row = on("tbody tr:has(.fw-row-link)");
    if (row && !on("a, button, input, label, select, summary, .fw-cell-form") && getSelection().isCollapsed)
      row.querySelector(".fw-row-link").dispatchEvent(new MouseEvent("click", event));
    const link = on("a[data-confirm-page]");
    if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      confirmPage(link);
    }
    for (const open of all("details.fw-dropdown[open],details.fw-menu[open]")) {
      const isWithin = open.contains(event.target) || (open.matches(".fw-menu") && on(".fw-sidebar"));
      if (!isWithin || on(".fw-more-actions .fw-dropdown-item")) open.open = false;
    }
  });
  document.addEventListener("keydown", (event) => event.target.matches?.(".fw-tablist button") && moveTab(event));
  document.addEventListener("keydown", (event) => event.target.closest?.(".fw-pick") && moveLink(event));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const open of all("details.fw-dropdown[open],details.fw-menu[open]")) {
      open.open = false;
      open.querySelector("summary").focus();
    }
  });
  document.addEventListener("change", (event) => {
    const filters = event.target.closest?.("form[data-autosubmit]");
    if (filters && event.target.matches("select")) filters.requestSubmit();
    if (event.target.matches?.("[data-select-page]")) selectPage(event.target.checked);
    else if (bulk() && event.target.form === bulk()) showSelection();
    const form = event.target.closest?.("form");
    if (form?.querySelector("[data-dynamic]")) redraw(form);
  });
  document.addEventListener("input", (event) => {
    if (event.target.type === "range" && event.target.parentElement.matches(".fw-slider"))
      event.target.parentElement.querySelector("output").value = event.target.value;
    const picked = document.getElementById(event.target.dataset?.picks);
    if (picked) picked.value = event.target.value;
    const form = event.target.closest?.("form[data-unsaved]");
    if (form) {
      dirty.add(form);
      countChanges(form);
    }
    if (form?.matches("[data-autosave]")) saveSoon(form);
    if (event.target.matches?.("[data-find]")) findLink(event.target);
    if (event.target.matches?.("form[data-autosubmit] input[type=search]") && !event.isComposing)
      findSoon(event.target);
  });
  document.addEventListener(
    "submit",
    (event) => {
      dirty.delete(event.target);
      clearTimeout(waiting.get(event.target));
      clearTimeout(finding);
      finding = undefined;
      pressed = event.submitter ?? undefined;
      const isDownload = event.target.matches('dialog[data-modal] form[data-turbo="false"]');
      if (isDownload) setTimeout(() => modal().close());
    },
    true,
  );
  for (const moment of ["turbo:before-render", "turbo:before-frame-render"])
    document.addEventListener(moment, ({ detail }) => {
      const { render } = detail;
      detail.render = async (...parts) => {
        await render(...parts);
        readFaults(); // at once: "turbo:load" comes some frames later, and what is typed by then would lose the focus
      };
    });
  document.addEventListener("turbo:frame-load", (event) => {
    if (event.target.id !== "modal" || !modal()) return;
    const made = event.target.querySelector("[data-chosen]");
    if (made) choose(made);
    else if (event.target.querySelector("[data-closes]"))
      drawBehind(event.target.querySelector("[data-closes]").dataset);
    else openModal();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !event.target.closest?.("dialog[data-modal]")) return;
    event.preventDefault(); // Chromium closes at the second Escape, whoever cancels it
    closeModal();
  });
  document.addEventListener(
    "cancel",
    (event) => {
      if (!event.target.matches?.("dialog[data-modal]")) return;
      event.preventDefault();
      closeModal();
    },
    true,
  );
  document.addEventListener(
    "close",
    (event) => event.target.matches?.("dialog[data-modal]") && emptyModal(event.target),
    true,
  );
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (target.matches?.("details.fw-dropdown[open]"))
        target.querySelector(":scope > .fw-dropdown-panel input:is([type=text], :not([type]))")?.focus();
    },
    true,
  );
  document.addEventListener("turbo:before-prefetch", (event) => {
    const { searchParams } = new URL(event.target.href);
    if (event.target.matches("[data-popover]")) event.preventDefault(); // its frame loads it
    if (searchParams.has("from")) event.preventDefault(); // what is fetched ahead keeps nothing, and this page keeps where one came from
  });
  document.addEventListener("turbo:frame-missing", (event) => {
    if (event.target.id === "modal") {
      event.preventDefault(); // an error page, which is a page of its own
      event.detail.visit(event.detail.response);
    }
    if (!event.target.matches("[data-optional]")) return;
    event.preventDefault(); // the page is whole without it
    event.target.replaceChildren();
  });
  addEventListener("beforeunload", (event) => isDirty() && event.preventDefault());
  document.addEventListener("turbo:before-visit", (event) => {
    if (!leave()) event.preventDefault();
    else {
      left = [...dirty];
      dirty.clear();
    }
  });
  document.addEventListener("turbo:submit-start", (event) => showBusy(event.detail.formSubmission));
  document.addEventListener("turbo:submit-end", (event) => endBusy(event.detail.formSubmission));
  document.addEventListener("turbo:fetch-request-error", (event) => {
    const { target } = event;
    if (target.matches("form")) {
      if (target.matches("[data-unsaved]")) dirty.add(target);
      return sayUnreachable(target);
    }
    if (target !== root) return; // a frame, or a link that is fetched ahead
    event.preventDefault(); // Turbo would open the browser's own page, and all that was typed would be out of sight
    Turbo.navigator.currentVisit?.fail();
    for (const form of left) if (form.isConnected) dirty.add(form);
    sayUnreachable();
  });
  document.addEventListener("turbo:before-cache", () => {
    for (const select of all("select.tomselected")) select.tomselect?.destroy();
    for (const open of all("dialog.fw-dialog, .fw-switch, .fw-popover, #fw-flashes > *, [data-unreached]"))
      open.remove();
    if (modal()?.open) modal().close();
  });
  for (const moment of ["turbo:load", "turbo:render", "turbo:frame-load"]) document.addEventListener(moment, settle);
  if (typeof Turbo !== "undefined") {
    Turbo.config.forms.confirm = (text, _form, submitter) => {
      const { ok = submitter?.textContent.trim() || submitter?.title, stay } = submitter?.dataset ?? {};
      const danger = stay !== undefined || submitter?.className.includes("danger");
      return ask(undefined, { text, ok, stay, style: danger ? "btn btn-danger" : "btn btn-primary" });
    };
  }
  if (typeof Turbo === "undefined") settle();
})();
