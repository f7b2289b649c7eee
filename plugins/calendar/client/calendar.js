// Entries that people move to other days: dragged (sortablejs), by Alt and the arrow keys, or by the form of each without a new
// page. Without it the forms are sent.
(() => {
  if (window.fwCalendar) return window.fwCalendar();
  let last = Promise.resolve(); // one after the other, as they were made
  const calendar = () => document.querySelector(".fw-calendar");
  const entryOf = (element) => element.closest?.(".fw-calendar .fw-event-movable");
  const dayOf = (entry) => entry.closest("[data-day]").dataset.day;
  const formOf = (entry) => entry.querySelector("form");
  const inputOf = (entry) => formOf(entry).querySelector("input:not([type=hidden])");
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

  function report(text) {
    const problem = document.querySelector(".fw-calendar-problem");
    problem.textContent = text;
    problem.hidden = text === "";
  }
  function later(day, days) {
    const date = new Date(`${day}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return date.toISOString().slice(0, 10);
  }

  /** Sends what the form of an entry has. Resolves with what is wrong, undefined for nothing. */
  async function send(form) {
    const body = new URLSearchParams(new FormData(form));
    const headers = { accept: "application/json" };
    const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => undefined);
    if (answer?.ok) return undefined;
    const { detail, title, errors = {} } = (await answer?.json().catch(() => undefined)) ?? {};
    return Object.values(errors).flat().join(" ") || detail || title || calendar().dataset.failed;
  }

  /** Draws the calendar as it is stored now, with the focus where it was. */
  async function refresh(id) {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
    if (!answer?.ok) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector(".fw-calendar");
    if (!fresh) return location.reload();
    calendar().replaceWith(document.importNode(fresh, true));
    window.fwCalendar();
    const entry = calendar().querySelector(`[data-entry="${CSS.escape(id)}"]`);
    entry?.querySelector("a, summary")?.focus();
  }

  function move(entry, day) {
    const input = inputOf(entry);
    const { entry: id } = entry.dataset;
    const name = entry.querySelector(".fw-event-title").textContent.trim();
    if (day !== undefined) input.value = day + input.value.slice(10);
    const to = input.value.slice(0, 10);
    last = last.then(async () => {
      report("");
      const problem = await send(formOf(entry));
      await refresh(id);
      if (problem !== undefined) return report(problem);
      const text = calendar()
        .dataset.moved.replace("{name}", () => name)
        .replace("{to}", () => to);
      document.querySelector("[data-calendar-status]").textContent = text;
    });
  }

  document.addEventListener(
    "submit",
    (event) => {
      const entry = entryOf(event.target);
      if (!entry) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      move(entry);
    },
    true,
  );
  document.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    const entry = event.altKey && step !== undefined && entryOf(event.target);
    if (!entry || event.target.matches("input")) return;
    event.preventDefault();
    move(entry, later(dayOf(entry), step));
  });
  // A link would be dragged in the place of its entry.
  document.addEventListener(
    "pointerdown",
    ({ target }) => target.closest?.(".fw-calendar a")?.setAttribute("draggable", "false"),
    true,
  );

  window.fwCalendar = () => {
    const shown = calendar();
    if (!shown || shown.isReady) return;
    shown.isReady = true; // a page that Turbo brings back has the attribute, and nothing behind it
    shown.dataset.ready = "";
    for (const entry of shown.querySelectorAll(".fw-event-movable .fw-event-title"))
      entry.setAttribute("aria-keyshortcuts", "Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown");
    for (const day of shown.querySelectorAll(".fw-calendar-grid [data-day]"))
      Sortable.create(day, {
        group: "calendar",
        draggable: ".fw-event-movable",
        filter: ".fw-event-menu",
        preventOnFilter: false,
        sort: false,
        ghostClass: "fw-event-ghost",
        delay: 200,
        delayOnTouchOnly: true,
        emptyInsertThreshold: 20,
        onEnd: ({ item, from, to, oldIndex, originalEvent }) => {
          if (from === to) return;
          const { clientX, clientY } = originalEvent.changedTouches?.[0] ?? originalEvent;
          const under = document.elementFromPoint(clientX, clientY)?.closest(".fw-day");
          if (under?.contains(to)) return move(item, to.dataset.day);
          from.insertBefore(item, from.children[oldIndex] ?? null); // it was let go elsewhere, past that day
        },
      });
  };
  addEventListener("turbo:render", window.fwCalendar);
  window.fwCalendar();
})();
