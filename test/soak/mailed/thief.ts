import { codeOf } from "../../generators/accounts_flow/hands.ts";
import { addDevice, type Device } from "../../support/authenticator.ts";
import type { Visitor } from "../../support/browser.ts";
import { assert } from "../../support/index.ts";
import { fill, send, sendRefused } from "../../system/accounts/hands.ts";
import { arrive } from "../../system/looks.ts";
import { addPasskey, enter, isIn, look, lookAtMail, makeCodes, places, setAppUp, signUp, textOf } from "./people.ts";
import type { MailedWorld } from "./world.ts";

const OWNER = "olga@example.test";
const THIEF = "thief@elsewhere.example";
const OLD = "correct horse battery";
const NEW = "meadow under winter rain";

export type Story = (sentence: string, body: (world: MailedWorld) => Promise<void>) => void;

/** An account that somebody takes over who knows the password, and its owner takes back by a mail. */
export function tellTakeover(can: Story): void {
  let owner: Visitor;
  let thief: Visitor;
  let device: Device;
  let copied: Awaited<ReturnType<Visitor["context"]["cookies"]>>;
  let firstMail = "";
  let theirMail = "";
  let theirSecret = "";
  let theirCodes: string[] = [];
  let secret = "";
  const secrets = [OLD, NEW];

  can("The owner is mailed that a new device signed in with the password", async ({ inbox, visit }) => {
    owner = await visit(places.home);
    await signUp(owner.page, OWNER, OLD, async () => (await inbox.expect([OWNER, "Verify your address"]))[0]!.link);
    assert.ok(await isIn(owner));
    await inbox.expect();
    thief = await visit(places.elsewhere);
    device = await addDevice(thief);
    await device.answer(false);
    await enter(thief.page, OWNER, OLD, { remember: true });
    await arrive(thief.page, /\/customer$/);
    const [mail] = await inbox.expect([OWNER, "A new device signed in"]);
    for (const detail of ["Chrome, Windows", "203.0.113.66"]) assert.match(mail!.text, detail);
    await lookAtMail(owner, mail!, "new-device");
    firstMail = mail!.link;
    assert.match(firstMail, /^\/users\/report-compromise\?key=/);
  });

  can(
    "The owner is mailed each factor that the thief adds, and only the new address gets the link to confirm it",
    async ({ inbox }) => {
      const { page } = thief;
      await device.answer(true);
      await addPasskey(page, "Spare laptop");
      await device.answer(false);
      await inbox.expect([OWNER, "A passkey was added"]);
      await page.goto("/users/otp-setup");
      theirSecret = await setAppUp(page);
      await arrive(page, /webauthn-review$/);
      await look(page, "webauthn-review");
      await send(page, "Keep all");
      await arrive(page, /recovery-codes$/);
      await inbox.expect([OWNER, "An authenticator app was added"]);
      theirCodes = await makeCodes(page);
      await inbox.expect([OWNER, "New recovery codes"]);
      assert.not(await isIn(owner), "a first second factor ends what was signed in without");
      secrets.push(theirSecret, ...theirCodes);
      await page.goto("/users/change-login");
      await fill(page, { login: THIEF, password: OLD });
      await send(page);
      await arrive(page, /account$/);
      theirMail = (await inbox.expect([THIEF, "Confirm your new address"]))[0]!.link;
      copied = await thief.context.cookies();
    },
  );

  can(
    "The link of the first mail asks first, then ends the thief's sign-in and lets the owner reset the password",
    async ({ inbox }) => {
      const { page } = owner;
      await page.goto(firstMail);
      assert.match(await textOf(page), OWNER);
      await look(page, "report-compromise");
      assert.ok(await isIn(thief), "looking changes nothing");
      await page.goto(firstMail);
      await send(page, "That wasn't me");
      await arrive(page, /reset-password\?key=/);
      await look(page, "reset-password-after-report");
      await inbox.expect();
      assert.not(await isIn(thief));
      await sendRefused(page, { password: OLD, password_confirmation: OLD });
      await fill(page, { password: NEW, password_confirmation: NEW });
      await send(page);
      await arrive(page, /login$/);
      await inbox.expect([OWNER, "Your password at Shop was reset"]);
      await page.goto(firstMail);
      await look(page, "dead-link");
      assert.match(await textOf(page), "This link is no longer valid");
      await page.getByRole("link", { name: "Set a new password" }).click();
      await arrive(page, /reset-password-request$/);
    },
  );

  can(
    "The owner signs in with the new password, has the only session and sets up an authenticator app",
    async (world) => {
      const { page } = owner;
      await enter(page, OWNER, NEW);
      await arrive(page, /\/customer$/);
      await world.inbox.expect();
      await page.goto("/users/sessions");
      await page.locator(".fw-authlib-rows li").waitFor();
      assert.is(await page.locator(".fw-authlib-rows li").count(), 1);
      assert.match(await textOf(page), "Firefox, Linux This session");
      await look(page, "sessions-alone");
      await page.goto("/users/factors");
      await look(page, "factors-none");
      assert.not.match(await textOf(page), /1 passkey|code left|On since/);
      await page.goto("/users/otp-setup");
      secret = await setAppUp(page);
      await arrive(page, /recovery-codes$/);
      const codes = await makeCodes(page, { name: "recovery-codes" });
      secrets.push(secret, ...codes);
      await world.inbox.expect([OWNER, "An authenticator app was added"], [OWNER, "New recovery codes"]);
      await page.goto("/users/factors");
      await look(page, "factors-set-up");
      assert.equal(await lately(world), [
        "login from 198.51.100.7",
        "login from 203.0.113.66",
        "second_factor_added from 203.0.113.66",
        "second_factor_added from 203.0.113.66",
        "recovery_codes_made from 203.0.113.66",
        "compromise_reported from 198.51.100.7",
        "password_changed from 198.51.100.7",
        "login from 198.51.100.7",
        "second_factor_added from 198.51.100.7",
        "recovery_codes_made from 198.51.100.7",
      ]);
    },
  );

  can(
    "The thief's password, passkey, mailed link, cookies, codes and recovery codes are refused",
    async ({ inbox, visit }) => {
      const { page, context } = thief;
      await enter(page, OWNER, OLD);
      await page.locator("main [role=alert]").waitFor();
      await page.goto("/users/webauthn-auth");
      await device.answer(true);
      await send(page, "Use a passkey");
      await page.getByText("This passkey is unknown").waitFor();
      await page.goto(theirMail);
      assert.match(await textOf(page), "This link is no longer valid");
      await context.addCookies(copied);
      assert.not(await isIn(thief), "a copied cookie");
      await context.clearCookies({ name: "fw_session" });
      assert.not(await isIn(thief), "a remembered device");
      const other = await visit(places.elsewhere); // as if they knew the new password as well
      await enter(other.page, OWNER, NEW);
      await arrive(other.page, /otp-auth$/);
      await sendRefused(other.page, { otp_code: await codeOf(theirSecret) });
      await other.page.goto("/users/recovery-codes");
      await sendRefused(other.page, { recovery_code: theirCodes[0]! });
      assert.not(await isIn(other));
      await inbox.expect();
      assert.ok(await isIn(owner));
    },
  );

  can("The mails contain no secret, and the log contains no secret or mailed key", async ({ inbox, output }) => {
    const keys = inbox.all.flatMap(({ link }) => /key=([\w-]{20,})/.exec(link)?.[1] ?? []);
    assert.is(keys.length, inbox.all.length, "each mail has its link");
    for (const { text, html } of inbox.all)
      for (const one of secrets) assert.not.match(`${text}${html}`.replaceAll(" ", ""), one.replaceAll(" ", ""));
    for (const one of [...secrets, ...keys]) assert.not.match(output(), one);
    await owner.context.close();
    await thief.context.close();
  });
}

/** What the audit log has of the owner, but for steps on the way. */
async function lately({ knex }: MailedWorld): Promise<string[]> {
  const rows = await knex("user_authentication_audit_logs as log")
    .join("users", "users.id", "log.account_id")
    .where("users.email", OWNER)
    .orderBy("log.id")
    .select("event", "address");
  const told = ["login", "second_factor_added", "recovery_codes_made", "compromise_reported", "password_changed"];
  return rows.filter(({ event }) => told.includes(event)).map(({ event, address }) => `${event} from ${address}`);
}
