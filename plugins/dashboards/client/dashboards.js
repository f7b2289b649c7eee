// Draws the tables of charts as charts, and lets a card that can't be loaded say so. Without it the tables are there.
(() => {
  if (window.fwDashboards) return;
  window.fwDashboards = true;
  const drawn = new Map();
  const library = document.currentScript.dataset.charts;
  const places = (within) => [...within.querySelectorAll("[data-chart]")];
  const frameOf = (place) => place.querySelector(":scope > .fw-chart-canvas");
  let isAsked = false;
  let isMissing = false;
  let isDue = false;

  const tones = { success: "success", warning: "warning", danger: "danger", info: "info", neutral: "line-strong" };
  const palette = ["chart-1", "chart-3", "chart-4", "chart-2", "chart-5", "chart-6"];
  const colors = ["ink", "soft", "line", "surface", ...Object.values(tones), ...palette];

  /** What custom properties are in the theme, as a canvas takes colours. All at once: each look at a new element restyles the page. */
  function colorsWithin(place) {
    const probe = document.createElement("div");
    for (const name of colors) {
      const sample = document.createElement("span");
      sample.style.color = `var(--fw-${name})`;
      probe.append(sample);
    }
    place.append(probe);
    const found = Object.fromEntries(colors.map((name, at) => [name, getComputedStyle(probe.children[at]).color]));
    probe.remove();
    return found;
  }

  const rowsOf = (place) =>
    [...place.querySelectorAll("tbody tr")].map((row) => ({
      label: row.cells[0].textContent,
      value: Number(row.cells[1].dataset.value),
      shown: row.cells[1].textContent,
      tone: tones[row.dataset.tone],
      isCurrent: "current" in row.dataset,
    }));

  function settingsOf(place, rows) {
    const type = place.dataset.chart;
    const color = colorsWithin(place);
    const { ink, soft, line, surface, "chart-1": accent } = color;
    const isRound = type === "doughnut";
    const parts = rows.map(({ tone }, at) => color[tone ?? palette[at % palette.length]]);
    const dataset = {
      data: rows.map(({ value }) => value),
      borderColor: isRound ? surface : accent,
      backgroundColor:
        type === "line" ? accent.replace("rgb(", "rgba(").replace(")", ", 0.12)") : isRound ? parts : accent,
      borderWidth: type === "bar" ? 0 : 2,
      borderRadius: type === "bar" ? 4 : 0,
      maxBarThickness: 40,
      fill: type === "line",
      pointRadius: rows.length > 31 ? 0 : 2,
      pointBackgroundColor: accent,
      segment: { borderDash: ({ p1DataIndex }) => (rows[p1DataIndex].isCurrent ? [3, 4] : undefined) },
    };
    const axis = { border: { display: false }, ticks: { color: soft, maxRotation: 0, autoSkipPadding: 16 } };
    return {
      type,
      data: { labels: rows.map(({ label, shown }) => (isRound ? `${label}: ${shown}` : label)), datasets: [dataset] },
      options: {
        animation: false,
        maintainAspectRatio: false,
        cutout: "68%",
        interaction: { intersect: isRound, mode: isRound ? "nearest" : "index" },
        scales: isRound
          ? {}
          : {
              x: { ...axis, grid: { display: false } },
              y: {
                ...axis,
                beginAtZero: true,
                grid: { color: line },
                ticks: { ...axis.ticks, precision: 0, maxTicksLimit: 5 },
              },
            },
        plugins: {
          legend: {
            display: isRound,
            position: "right",
            labels: { color: ink, usePointStyle: true, boxWidth: 8, boxHeight: 8 },
          },
          tooltip: { displayColors: isRound, callbacks: { label: (item) => rows[item.dataIndex].shown } },
        },
      },
    };
  }

  /** Gives a chart its place and closes its table before they are shown, so that nothing moves when it is drawn. */
  function reserve(place) {
    if (isMissing || frameOf(place)) return;
    const frame = document.createElement("div");
    frame.className = "fw-chart-canvas";
    place.prepend(frame);
    place.querySelector("details")?.removeAttribute("open");
  }
  /** The table alone again, as the server sent it. */
  function release(place) {
    frameOf(place)?.remove();
    place.querySelector("details")?.setAttribute("open", "");
  }

  function draw(place) {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", place.dataset.label);
    frameOf(place).replaceChildren(canvas);
    Chart.defaults.font.family = getComputedStyle(place).fontFamily;
    drawn.set(place, new Chart(canvas, settingsOf(place, rowsOf(place))));
  }

  function erase(place) {
    drawn.get(place).destroy();
    drawn.delete(place);
    frameOf(place)?.replaceChildren();
  }

  /** Loads the library of charts, which weighs as much as all else, once the page is there. */
  function load() {
    if (isAsked) return;
    isAsked = true;
    const script = document.createElement("script");
    script.src = library;
    script.onload = drawNext;
    script.onerror = () => {
      isMissing = true;
      for (const place of places(document)) release(place);
    };
    if (document.readyState === "complete") document.head.append(script);
    else addEventListener("load", () => document.head.append(script), { once: true });
  }

  /** Draws one chart after the other, each in a task of its own: the page answers in between. */
  function drawNext() {
    const next = () => places(document).find((place) => frameOf(place) && !drawn.has(place));
    if (isDue || !next()) return;
    if (typeof Chart === "undefined") return load();
    isDue = true;
    setTimeout(() => {
      isDue = false;
      const place = next();
      if (place) draw(place);
      drawNext();
    });
  }

  function settle() {
    for (const place of [...drawn.keys()]) if (!place.isConnected) erase(place);
    for (const place of places(document)) reserve(place);
    drawNext();
  }

  /** In place of a card that can't be loaded: what happened, and a link that tries again. */
  function fail(frame) {
    const failed = document.getElementById("fw-card-failed")?.content.cloneNode(true);
    if (!failed) return;
    const source = frame.getAttribute("src");
    failed.querySelector("a").setAttribute("href", source);
    frame.replaceChildren(failed);
  }
  const cardOf = (event) => event.target.closest?.("turbo-frame[data-card]");

  document.addEventListener("turbo:fetch-request-error", (event) => {
    const frame = cardOf(event);
    if (frame) fail(frame);
  });
  document.addEventListener("turbo:frame-missing", (event) => {
    const frame = cardOf(event);
    if (!frame) return;
    event.preventDefault();
    const { response, visit } = event.detail;
    if (response.redirected)
      visit(response.url); // as to the page of a sign-in that has run out
    else fail(frame);
  });
  document.addEventListener("turbo:before-frame-render", ({ detail }) => places(detail.newFrame).forEach(reserve));
  document.addEventListener("turbo:before-render", ({ detail }) => places(detail.newBody).forEach(reserve));
  document.addEventListener("turbo:before-cache", () => [...drawn.keys()].forEach(erase)); // a copy of a canvas is empty
  for (const moment of ["turbo:load", "turbo:render", "turbo:frame-render"]) document.addEventListener(moment, settle);
  new MutationObserver(() => {
    for (const place of [...drawn.keys()]) {
      erase(place);
      draw(place);
    }
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-bs-theme"] });
  settle();
})();
