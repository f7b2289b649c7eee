import type { Visitor } from "../../support/browser.ts";
import { assert } from "../../support/index.ts";
import { fill, send, sendRefused } from "../../system/accounts/hands.ts";
import { arrive } from "../../system/looks.ts";
import { enter, isIn, look, makeCodes, places, setAppUp, signOut, signUp, textOf } from "./people.ts";
import type { Story } from "./thief.ts";

const OWNER = "otto@example.test";
const PASSWORD = "seven quiet lanterns";
const NEW = "harbour under winter rain";

/** Somebody knows the password, and has to guess the code of an authenticator app. */
export function tellGuesses(can: Story): void {
  let owner: Visitor;
  let guesser: Visitor;
  let codes: string[] = [];

  can(
    "The owner sees a sign-in with the right password and without the code among the sessions",
    async ({ inbox, visit }) => {
      owner = await visit(places.home);
      const { page } = owner;
      await signUp(page, OWNER, PASSWORD, async () => (await inbox.expect([OWNER, "Verify your address"]))[0]!.link);
      await page.goto("/users/otp-setup");
      await setAppUp(page, PASSWORD);
      await arrive(page, /recovery-codes$/);
      codes = await makeCodes(page);
      await inbox.expect([OWNER, "An authenticator app was added"], [OWNER, "New recovery codes"]);
      guesser = await visit(places.elsewhere);
      await enter(guesser.page, OWNER, PASSWORD);
      await arrive(guesser.page, /otp-auth$/);
      await inbox.expect();
      await page.goto("/users/sessions");
      assert.match(await textOf(page), "Chrome, Windows Password correct, code missing 203.0.113.66");
      await look(page, "sessions-incomplete");
    },
  );

  can(
    "The owner is mailed once that too many codes were wrong, and a recovery code is refused as well",
    async ({ inbox }) => {
      const { page } = guesser;
      for (let tries = 0; tries < 4; tries++) await sendRefused(page, { otp_code: `00000${tries}` });
      await inbox.expect();
      await fill(page, { otp_code: "000004" });
      await send(page);
      await page.getByText("Codes are accepted again from").waitFor();
      await look(page, "otp-auth-locked");
      assert.is(await page.locator("[name=otp_code]").count(), 0);
      const [mail] = await inbox.expect([OWNER, "Too many wrong codes"]);
      for (const detail of ["203.0.113.66", "Chrome, Windows"]) assert.match(mail!.text, detail);
      await page.goto("/users/recovery-codes");
      await sendRefused(page, { recovery_code: "aaaaa-aaaaa" });
      assert.not(await isIn(guesser));
      await inbox.expect();
    },
  );

  can(
    "The owner signs in with a recovery code during the lock, and a new password ends the guesser's sign-in",
    async ({ inbox }) => {
      const { page } = owner;
      assert.ok(await isIn(owner), "signed in as before");
      await signOut(page);
      await enter(page, OWNER, PASSWORD);
      await arrive(page, /otp-auth$/);
      assert.match(await textOf(page), "Too many wrong codes");
      await page.getByRole("link", { name: "Use a recovery code" }).click();
      await arrive(page, /recovery-codes$/);
      await fill(page, { recovery_code: codes[0]! });
      await send(page);
      await arrive(page, /\/customer$/);
      await inbox.expect([OWNER, "A recovery code was used"]);
      await page.goto("/users/change-password");
      await fill(page, { password: PASSWORD, new_password: NEW, password_confirmation: NEW });
      await send(page);
      await arrive(page, /account$/);
      await inbox.expect([OWNER, "Your password at Shop was changed"]);
      await guesser.page.goto("/users/otp-auth");
      await arrive(guesser.page, /login$/);
      await enter(guesser.page, OWNER, PASSWORD);
      await guesser.page.locator("main [role=alert]").waitFor();
      await inbox.expect();
      await page.goto("/users/sessions");
      assert.is(await page.locator(".fw-authlib-rows li").count(), 1);
      await owner.context.close();
      await guesser.context.close();
    },
  );
}
