import type { Browser } from "playwright-core";
import { mailTo, openAccounts } from "../../plugins/authlib/accounts.ts";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, type Visit, type Visitor, visit } from "../../support/browser.ts";

const user =
  "login(), logout(), remember(), createAccount(), verifyAccount(), resetPassword(), invitation(), changePassword(), changeLogin(), closeAccount(), lockout(), activeSessions(), passwordComplexity(), securityMails(), emailAuth(), otp(), recoveryCodes(), webauthn(), auditLogging()";
const admin =
  "login({ phases: 2 }), logout(), resetPassword(), invitation(), otp({ required: true }), recoveryCodes(), auditLogging()";
const clerk = "login(), logout(), webauthn({ secondFactor: true })";

/** An application with users who may do everything, admins who must have an app, and clerks whose passkey comes second. */
export interface AccountsWorld {
  readonly app: TestApp;
  readonly browser: Browser;
  /** `http://localhost:<port>`: passkeys need a host name. */
  readonly url: string;
  visit(how?: Visit): Promise<Visitor>;
  /** The path of the link in the last mail to somebody whose subject says this. */
  mailed(to: string, subject: string): Promise<string>;
  close(): Promise<void>;
}

export async function openAccountsWorld(): Promise<AccountsWorld> {
  const types = { user: { features: user }, admin: { features: admin }, clerk: { features: clerk } };
  const [app, browser] = await Promise.all([
    openAccounts(types, { authlib: "{ limits: false }", files }),
    openBrowser(),
  ]);
  const url = app.url.replace("127.0.0.1", "localhost");
  return {
    app,
    browser,
    url,
    visit: (how) => visit(browser, url, how),
    mailed: async (to, subject) => (await mailTo(app, to, subject)).path,
    async close() {
      await browser.close();
      await app.close();
    },
  };
}

const files = {
  "app/models/admin.ts": `import { Model } from "framewright/plugins/database";
    export default class Admin extends Model("admins") { static override enums = { role: ["super_admin", "admin"] }; }`,
};
