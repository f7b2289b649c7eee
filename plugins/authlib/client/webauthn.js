// Asks the browser for a passkey and sends what it answers; the forms it finds say what is asked.
(() => {
  const supported = () => globalThis.SimpleWebAuthnBrowser?.browserSupportsWebAuthn() ?? false;

  function say(form, text) {
    const message = form.querySelector("[data-webauthn-error]");
    message.textContent = text;
    message.hidden = false;
  }

  async function run(form) {
    const button = form.querySelector("button:not([type=button])");
    form.querySelector("[data-webauthn-error]").hidden = true;
    button.disabled = true;
    try {
      const optionsJSON = JSON.parse(form.dataset.webauthnOptions);
      const browser = globalThis.SimpleWebAuthnBrowser;
      const start = form.dataset.webauthn === "create" ? browser.startRegistration : browser.startAuthentication;
      form.querySelector("[name=credential]").value = JSON.stringify(await start({ optionsJSON }));
      form.dataset.ready = "yes";
      button.disabled = false;
      form.requestSubmit();
    } catch (error) {
      button.disabled = false;
      const cancelled = error?.name === "NotAllowedError" || error?.name === "AbortError";
      say(form, cancelled ? form.dataset.cancelled : `${form.dataset.failed} (${error?.name ?? "?"})`);
    }
  }

  /** A challenge is good for five minutes; one that is older is asked for anew when somebody comes back to the field. */
  const STALE = 4 * 60_000;
  let offer = {};

  /** The browser offers passkeys in the login field, beside the passwords that it knows. */
  async function offerIn(form) {
    const browser = globalThis.SimpleWebAuthnBrowser;
    const fetching = new AbortController();
    offer = { form, at: Date.now(), fetching };
    if (!(await browser?.browserSupportsWebAuthnAutofill())) return;
    try {
      const headers = { accept: "application/json" };
      const answer = await fetch(`${form.action}?autofill=1`, { headers, signal: fetching.signal });
      const optionsJSON = await answer.json();
      const credential = await browser.startAuthentication({ optionsJSON, useBrowserAutofill: true });
      form.querySelector("[name=credential]").value = JSON.stringify(credential);
      form.requestSubmit();
    } catch {
      // Nothing was chosen, or another request took its place: the page has a link to passkeys as well.
    }
  }
  const autofillForm = () => document.querySelector("form[data-webauthn-autofill]");
  function offerAgain(event) {
    const form = autofillForm();
    const isField = event.target.matches?.("input[autocomplete~=webauthn]");
    if (isField && form && (form !== offer.form || Date.now() - offer.at > STALE)) offerIn(form);
  }

  /** The buttons are there for those alone who can use them. */
  function settle() {
    const autofill = autofillForm();
    if (offer.form && autofill !== offer.form) {
      offer.fetching.abort();
      globalThis.SimpleWebAuthnBrowser?.WebAuthnAbortService.cancelCeremony(); // the login page was left
      offer = {};
    }
    if (autofill && autofill !== offer.form) offerIn(autofill);
    for (const form of document.querySelectorAll("form[data-webauthn]")) {
      if (!supported()) say(form, form.dataset.unsupported);
      else form.querySelector("button[hidden]:not([type=button])")?.removeAttribute("hidden");
    }
  }

  const root = document.documentElement;
  if (root.dataset.webauthn) return settle(); // read again by Turbo
  root.dataset.webauthn = "on";
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target.closest?.("form[data-webauthn]");
      if (!form || form.dataset.ready === "yes") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      run(form);
    },
    true,
  );
  document.addEventListener("submit", () => offer.fetching?.abort(), true); // its cookie must not come after the sign-in's
  document.addEventListener("focusin", offerAgain);
  for (const moment of ["turbo:load", "turbo:render"]) document.addEventListener(moment, settle);
  addEventListener("load", settle);
  settle();
})();
