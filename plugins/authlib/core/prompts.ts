import type { FieldErrors, Reply } from "framewright/host";
import type { AccountRecord } from "../account_type.ts";
import { Mails } from "./mails.ts";
import { storeTypedLogin, typedLoginOf } from "./typed_login.ts";

/** Prompts that several pages share: a new password, the key of a mailed link, "check your inbox". */
export class Prompts extends Mails {
  /** The key of a mailed link, from the query or the form. */
  keyParam(): string {
    const given = this.param("key") ?? this.request.query.get("key");
    return typeof given === "string" ? given.slice(0, 200) : "";
  }
  /** The reply to a link that was used, expired or never existed: the same for all. `label` is the text of the link to `page`. */
  expiredLink(page: string, label = "link_dead_again"): Reply {
    const message = this.t("link_dead");
    if (this.wantsJson) return this.problem(this.invalid({ key: [message] }, message));
    return this.page("dead_link", { again: this.type.path(page), label: this.t(label) }, 422);
  }
  /** The reply to a request for a mail, whether one is sent or not. `again` is the page that sends another. */
  checkYourMail(again: string): Reply {
    if (this.wantsJson) return this.controller.json({ success: this.t("look_into_mail") });
    storeTypedLogin(this.session, this.type.name, this.normalizeLogin(this.param("login") ?? ""));
    return this.goTo(`${this.type.path("mailed")}?again=${again}`);
  }
  /** The page after a request for a mail. Reloading it sends none. */
  async mailedPage(): Promise<Reply> {
    const asked = this.request.query.get("again");
    const routes = [...this.type.features.values()].flatMap((feature) => feature.routes);
    const isPage = routes.some(({ page, who, path }) => page && who === "anyone" && path === asked);
    const { env, smtp } = this.request.settings;
    return this.page("mailed", {
      again: this.type.path(isPage ? String(asked) : "login"),
      login: typedLoginOf(this.session, this.type.name),
      kept: env === "development" && smtp === undefined,
    });
  }
  /** The new password that was typed, or its errors by field. */
  async chosenPassword(account: AccountRecord | undefined, field = "password"): Promise<string | FieldErrors> {
    const [password, repeated] = [this.param(field) ?? "", this.param("password_confirmation")];
    if (password === "") return { [field]: [this.t("blank")] };
    if (repeated !== undefined && repeated !== password) return { password_confirmation: [this.t("password_differs")] };
    const problems = await this.passwordProblems(password, account);
    if (problems.length > 0) return { [field]: problems };
    const reuse = account && (await this.#reuse(account, password));
    return reuse === undefined ? password : { [field]: [reuse] };
  }
  /**
   * Why a password may not be chosen again: after a leak, a verified account must not keep the current one. Features that
   * store earlier passwords override it.
   */
  async reuseProblem(account: AccountRecord, password: string): Promise<string | undefined> {
    const isCurrent = (await this.hasPassword(account)) && (await this.passwordMatches(account, password));
    return isCurrent ? this.t("password_same") : undefined;
  }
  /**
   * The check is a guess at the current password, and is counted separately from attempts at the login. Unverified
   * accounts are not checked: the person may choose the same password on another device. @throws HttpError 429
   */
  async #reuse(account: AccountRecord, password: string): Promise<string | undefined> {
    if (this.isUnverified(account)) return undefined;
    const { limits } = this.type.services;
    await limits.consume("login", `chosen ${this.type.name} ${account.id}`, this.request.address);
    return this.reuseProblem(account, password);
  }
}
