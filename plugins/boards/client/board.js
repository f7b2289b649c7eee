// Cards that people move between the columns of a board: dragged (sortablejs), or by the menu of each card without a new page,
// so that the focus stays. Without it the menus send their forms.
(() => {
  if (window.fwBoard) return window.fwBoard();
  let last = Promise.resolve(); // one after the other, as they were made
  const board = () => document.querySelector(".fw-board");
  const laneOf = (element) => element.closest(".fw-lane");
  const list = (lane) => lane.querySelector(".fw-lane-cards");
  const waysTo = (card, lane) => [...card.querySelectorAll(`[data-to="${CSS.escape(lane.dataset.lane)}"]`)];
  const menuOf = (card) => card.querySelector(".fw-tile-menu");
  const idOf = (card) => card?.dataset.card;

  /** What went wrong, for people to read; empty for nothing. */
  function report(text) {
    const problem = document.querySelector(".fw-board-problem");
    problem.textContent = text;
    problem.hidden = text === "";
  }
  function announce(card, lane) {
    const name = card.querySelector(".fw-tile-title").textContent;
    const to = lane.querySelector("[data-lane-name]").textContent;
    const text = board()
      .dataset.moved.replace("{name}", () => name)
      .replace("{to}", () => to);
    document.querySelector("[data-board-status]").textContent = text;
  }

  /** One card more or fewer in the head of a column; numbers that are no count, as 10,000+, stay. */
  function count(lane, change) {
    const number = lane.querySelector("[data-count]");
    if (!/^\d+$/.test(number.textContent)) return;
    const now = Number(number.textContent) + change;
    number.textContent = String(now);
    const head = number.parentElement;
    if (head.dataset.limit) head.classList.toggle("fw-lane-over", now > Number(head.dataset.limit));
  }

  /** Sends a form of a card's menu, or the order of a card. Resolves with what is wrong, undefined for nothing. */
  async function send(url, body) {
    const headers = { accept: "application/json" };
    const token = document.querySelector('meta[name="csrf-token"]')?.content;
    if (token) headers["x-csrf-token"] = token;
    const answer = await fetch(url, { method: "POST", body, headers }).catch(() => undefined);
    if (answer?.ok) return undefined;
    const { detail, title, errors = {} } = (await answer?.json().catch(() => undefined)) ?? {};
    return Object.values(errors).flat().join(" ") || detail || title || board().dataset.failed;
  }
  function bodyOf(form, button) {
    const body = new URLSearchParams(new FormData(form));
    if (button?.name) body.set(button.name, button.value);
    return body;
  }

  /** Draws a card as it is stored now, in the column that it is in, at its place; it goes where it is on the board no more. */
  async function refresh(card, lane) {
    const url = `${board().dataset.url}&card=${encodeURIComponent(idOf(card))}`;
    const answer = await fetch(url, { headers: { accept: "text/html" } }).catch(() => undefined);
    if (!answer?.ok) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector(`[data-card="${CSS.escape(idOf(card))}"]`);
    if (!fresh) {
      card.remove();
      count(lane, -1);
      return report(board().dataset.gone);
    }
    const isFocused = card.contains(document.activeElement);
    const { lane: key } = laneOf(fresh).dataset;
    const now = document.querySelector(`.fw-lane[data-lane="${CSS.escape(key)}"]`);
    const drawn = document.importNode(fresh, true);
    card.replaceWith(drawn);
    if (now && now !== lane) {
      list(now).prepend(drawn);
      count(lane, -1);
      count(now, 1);
    }
    if (isFocused) (menuOf(drawn)?.querySelector("summary") ?? drawn.querySelector("a"))?.focus();
    return drawn;
  }

  /** Where a card stood, to bring it back there. */
  function place(card) {
    const { parentElement, nextElementSibling } = card;
    return () =>
      parentElement.insertBefore(card, nextElementSibling?.parentElement === parentElement ? nextElementSibling : null);
  }

  /** Moves a card that stands in its new place on the page already; `back` brings it to where it was. */
  async function move(card, { from, to, url, body, back }) {
    report("");
    count(from, -1);
    count(to, 1);
    const problem = await send(url, body);
    if (problem !== undefined) {
      count(from, 1);
      count(to, -1);
      back();
      await refresh(card, from);
      return report(problem);
    }
    const beside = orderBody(card);
    if (beside) await order(card, beside);
    const drawn = await refresh(card, to);
    if (drawn) announce(drawn, to);
  }

  /** Next to which card one stands, where the board has an order. */
  function orderBody(card) {
    if (board().dataset.ordered === undefined || !card.dataset.order) return undefined;
    const [before, after] = [idOf(card.nextElementSibling), idOf(card.previousElementSibling)];
    if (before === undefined && after === undefined) return undefined;
    return new URLSearchParams(before === undefined ? { after } : { before });
  }
  async function order(card, body) {
    const problem = await send(card.dataset.order, body);
    if (problem !== undefined) report(problem);
  }
  const queue = (work) => {
    last = last.then(work, work);
  };

  document.addEventListener(
    "submit",
    (event) => {
      const { submitter, target: form } = event;
      const card = form.closest(".fw-tile");
      if (!card?.closest(".fw-board") || !submitter) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const from = laneOf(card);
      const body = bodyOf(form, submitter);
      const back = place(card);
      menuOf(card).open = false;
      if (submitter.dataset.to === undefined) {
        if (submitter.dataset.way === "up") card.previousElementSibling?.before(card);
        else card.nextElementSibling?.after(card);
        menuOf(card).querySelector("summary").focus();
        const beside = orderBody(card);
        return queue(async () => {
          if (beside) await order(card, beside);
          await refresh(card, from);
        });
      }
      const to = document.querySelector(`.fw-lane[data-lane="${CSS.escape(submitter.dataset.to)}"]`);
      if (to) list(to).prepend(card);
      menuOf(card).querySelector("summary").focus();
      queue(() => move(card, { from, to: to ?? from, url: form.action, body, back }));
    },
    true,
  );

  // Links and images within a card would be dragged in its place.
  document.addEventListener(
    "pointerdown",
    ({ target }) => target.closest?.(".fw-board :is(a, img)")?.setAttribute("draggable", "false"),
    true,
  );

  /** The next cards of a column, below those that are there. */
  document.addEventListener("click", async (event) => {
    const more = event.target.closest?.(".fw-lane-more");
    if (!more || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const lane = laneOf(more);
    const answer = await fetch(more.href, { headers: { accept: "text/html" } }).catch(() => undefined);
    if (!answer?.ok) return report(board().dataset.failed);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector(".fw-lane");
    const cards = [...(fresh?.querySelectorAll(".fw-tile") ?? [])].filter(
      (card) => !document.querySelector(`.fw-board [data-card="${CSS.escape(idOf(card))}"]`),
    );
    const drawn = cards.map((card) => document.importNode(card, true));
    list(lane).append(...drawn);
    const next = fresh?.querySelector(".fw-lane-more");
    if (next) more.href = next.href;
    else more.remove();
    drawn[0]?.querySelector("a, summary")?.focus();
  });

  let back;
  const lanes = () => document.querySelectorAll(".fw-lane");
  const mayGo = (card, from, to) =>
    from === to ? board().dataset.ordered !== undefined && !!card.dataset.order : waysTo(card, to).length > 0;

  /** The column that a card was let go over: it may have been moved past one before. */
  function laneUnder(event) {
    const { clientX, clientY } = event.changedTouches?.[0] ?? event;
    return document.elementFromPoint(clientX, clientY)?.closest(".fw-lane") ?? undefined;
  }
  function dropped({ item: card, from, to, oldIndex, newIndex, originalEvent }) {
    for (const lane of lanes()) lane.classList.remove("fw-lane-closed");
    const [source, target] = [laneOf(from), laneOf(to)];
    const restore = back;
    if (laneUnder(originalEvent) !== target) return restore();
    if (source === target) {
      if (oldIndex === newIndex) return;
      const beside = orderBody(card);
      return queue(async () => {
        if (beside) await order(card, beside);
        await refresh(card, source);
      });
    }
    const [way, ...others] = waysTo(card, target);
    if (way?.tagName !== "BUTTON" || others.length > 0) {
      restore();
      if (others.length > 0)
        menuOf(card).open = true; // more than one leads there
      else if (way) way.click(); // it asks for something first
      return;
    }
    const body = bodyOf(way.form, way);
    queue(() => move(card, { from: source, to: target, url: way.form.action, body, back: restore }));
  }

  window.fwBoard = () => {
    const shown = board();
    if (!shown || shown.isReady) return;
    shown.isReady = true; // a page that Turbo brings back has the attribute, and nothing behind it
    shown.dataset.ready = "";
    const isOrdered = shown.dataset.ordered !== undefined;
    for (const lane of lanes())
      Sortable.create(list(lane), {
        group: "board",
        draggable: ".fw-tile",
        filter: ".fw-tile:not(:has(.fw-tile-menu)), .fw-tile-menu",
        preventOnFilter: false,
        sort: isOrdered,
        ghostClass: "fw-tile-ghost",
        delay: 200,
        delayOnTouchOnly: true,
        emptyInsertThreshold: 40,
        onStart({ item, from }) {
          back = place(item);
          for (const one of lanes())
            one.classList.toggle("fw-lane-closed", laneOf(from) !== one && !mayGo(item, laneOf(from), one));
        },
        onMove: ({ dragged, from, to }) => mayGo(dragged, laneOf(from), laneOf(to)),
        onEnd: dropped,
      });
  };
  addEventListener("turbo:render", window.fwBoard);
  window.fwBoard();
})();
