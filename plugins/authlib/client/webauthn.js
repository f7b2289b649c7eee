// Asks the browser for a passkey and sends what it answers; the forms it finds say what is asked.
(() => {
  async function run(form) {
    const message = form.querySelector("[data-webauthn-error]");
    const button = form.querySelector("button");
    message.hidden = true;
    button.disabled = true;
    try {
      const optionsJSON = JSON.parse(form.dataset.webauthnOptions);
      const browser = globalThis.SimpleWebAuthnBrowser;
      const start = form.dataset.webauthn === "create" ? browser.startRegistration : browser.startAuthentication;
      form.querySelector("[name=credential]").value = JSON.stringify(await start({ optionsJSON }));
      form.dataset.ready = "yes";
      form.requestSubmit();
    } catch (error) {
      message.textContent =
        error?.name === "NotAllowedError" ? form.dataset.cancelled : `${form.dataset.failed} (${error?.name ?? "?"})`;
      message.hidden = false;
    } finally {
      button.disabled = false;
    }
  }
  if (document.documentElement.dataset.webauthn) return; // read again by Turbo
  document.documentElement.dataset.webauthn = "on";
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
})();
