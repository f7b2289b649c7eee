import type { Client } from "../../../testing/client.ts";
import type { Passkey } from "./passkey.ts";

/** What a page asks a passkey for, and a way to answer it: as JSON, since pages at numeric addresses have no such form. */
export async function askPasskey(client: Client, path: string) {
  const { challenge } = (await client.json(path)).body as { challenge: string };
  const { csrf_token } = (await client.json(path.replace(/[\w-]+$/, "logout"))).body;
  const token = csrf_token ?? (await client.json(path.replace(/[\w-]+$/, "login"))).body.csrf_token;
  const send = (fields: Record<string, string>) =>
    client.request(path, {
      method: "POST",
      headers: { "x-csrf-token": String(token) },
      body: new URLSearchParams(fields),
    });
  return { challenge, send };
}
/** Adds a passkey of this device for who is signed in. */
export async function addPasskey(client: Client, device: Passkey, plural = "users") {
  const { challenge, send } = await askPasskey(client, `/${plural}/webauthn-setup`);
  return send({ credential: device.register(challenge), name: "Phone" });
}
/** Shows a passkey of this device: to sign in, or after another factor. */
export async function showPasskey(client: Client, device: Passkey, plural = "users") {
  const { challenge, send } = await askPasskey(client, `/${plural}/webauthn-auth`);
  return send({ credential: device.assert(challenge) });
}
