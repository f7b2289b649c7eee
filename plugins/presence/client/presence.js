// The form of a record reports that it is open, while it is looked at, and shows who else has it open.
(() => {
  if (window.fwPresence) return window.fwPresence();
  let timer;
  const line = () => document.querySelector("[data-presence]");
  const send = (place, values, keepalive) =>
    fetch(place.dataset.presence, {
      method: "POST",
      body: new URLSearchParams(values),
      headers: {
        accept: "application/json",
        "x-csrf-token": document.querySelector('meta[name="csrf-token"]')?.content ?? "",
      },
      keepalive, // also when the page goes away
    });

  async function report() {
    const place = line();
    if (!place || document.hidden) return;
    try {
      const answer = await send(place, {}, false);
      if (!answer.ok) return stop(); // signed out, or the record is gone: saving says so
      const { text } = await answer.json();
      place.hidden = text === "";
      if (place.textContent !== text) place.textContent = text; // a screen reader reads what changes
    } catch {} // the network is away: the next report may arrive
  }
  function stop() {
    clearInterval(timer);
    timer = undefined;
  }
  function leave() {
    const place = line();
    if (timer === undefined || !place) return;
    stop();
    send(place, { left: "1" }, true).catch(() => {}); // what is not reported ends by itself
  }

  window.fwPresence = () => {
    const place = line();
    if (!place) return stop();
    if (timer === undefined) timer = setInterval(report, Number(place.dataset.every) * 1000);
  };
  document.addEventListener("visibilitychange", report);
  document.addEventListener("turbo:before-visit", leave);
  addEventListener("pagehide", leave);
  for (const moment of ["turbo:render", "turbo:frame-load"]) document.addEventListener(moment, window.fwPresence);
  window.fwPresence();
})();
