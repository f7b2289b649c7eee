import type { CDPSession } from "playwright-core";
import type { Visitor } from "./browser.ts";

/** A device that makes and keeps passkeys. */
export interface Device {
  session: CDPSession;
  /** Whether it answers by itself, also where a page only offers passkeys in a field. */
  answer(enabled: boolean): Promise<void>;
}

const options = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** Gives a visitor's page a device with a fingerprint reader that says yes whenever it is asked to answer. */
export async function addDevice({ context, page }: Visitor): Promise<Device> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options });
  const answer = async (enabled: boolean) => {
    await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  };
  return { session, answer };
}
