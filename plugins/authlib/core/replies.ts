import {
  csrfInput,
  type FieldErrors,
  HttpError,
  headerToken,
  type Reply,
  raw,
  redirectReply,
  type SafeHtml,
  standardReply,
} from "framewright/host";
import type { AuthlibController } from "../account_pages.ts";
import { Context } from "./account_context.ts";
import { keptLogin } from "./typed_login.ts";

/** How a refusal is worded: a sentence for the whole, and what is wrong with single fields. */
export interface Refusal {
  message?: string;
  fields?: FieldErrors;
  status?: number;
  code?: string;
  locals?: Record<string, unknown>;
}

/** Pages, redirects and JSON: every feature answers through these. */
export class Answers extends Context {
  get controller(): AuthlibController {
    return this.request.controller as AuthlibController;
  }
  /** Characters that a password must have; password_complexity asks for more. */
  get passwordMinimum(): number {
    return 8;
  }
  get wantsJson(): boolean {
    return this.request.format === "json" || (this.request.method !== "GET" && this.request.isJson);
  }
  /** A field of the request as text; what is no text counts as missing. */
  param(name: string): string | undefined {
    const value = this.request.body.get(name);
    return typeof value === "string" ? value : undefined;
  }
  /** Which of these fields are empty, or no text, with a word on each; undefined when all are filled in. */
  blanks(...names: string[]): FieldErrors | undefined {
    const blank = names.filter((name) => (this.param(name) ?? "").trim() === "");
    return blank.length > 0 ? Object.fromEntries(blank.map((name) => [name, [this.t("blank")]])) : undefined;
  }
  invalid(fields: FieldErrors, message: string = this.t("invalid")): HttpError {
    return new HttpError(422, "FW_INVALID", message, { fields });
  }

  /** The page `authlib/<account>/<view>` or `authlib/<view>`. */
  page(view: string, locals: Record<string, unknown> = {}, status = 200): Reply {
    if (this.request.format === "json") return this.jsonPage(view, {}, status);
    const title = this.t(`${view}.title`);
    const password_hint = this.t("password_hint", { count: this.passwordMinimum });
    const typed_login = keptLogin(this.session, this.type.name) ?? "";
    return this.controller.render(view, {
      status,
      locals: { title, password_hint, typed_login, values: {}, errors: {}, ...locals },
    });
  }
  /** What a client of JSON is told of a page: its name, the token that it sends forms with, and what the page shows. */
  jsonPage(view: string, shown: Record<string, unknown> = {}, status = 200): Reply {
    const token = this.request.cookieless ? {} : { csrf_token: headerToken(this.session) };
    return this.controller.json({ page: view, ...token, ...shown }, { status });
  }
  /** The page again, with what was wrong beside its field; to a JSON client a problem. */
  refuse(view: string, { message, fields = {}, status = 422, code = "FW_INVALID", locals = {} }: Refusal): Reply {
    const text = message ?? this.t("invalid");
    if (this.wantsJson) return this.problem(new HttpError(status, code, text, { fields }));
    const values = this.typed();
    return this.page(view, { ...locals, values, errors: fields, alert: text }, status);
  }
  /** What was typed, but for what nobody should see again. */
  typed(): Record<string, string> {
    const kept = Object.entries(this.request.body.toObject()).filter(
      ([name, value]) => typeof value === "string" && !/password|code|otp/.test(name),
    );
    return Object.fromEntries(kept) as Record<string, string>;
  }
  /** It worked: a page to go on to, or `{ "success": … }`. */
  done(message: string, location: string): Reply {
    if (this.wantsJson) return this.controller.json({ success: message });
    this.request.flash.add("success", message);
    return this.goTo(location);
  }
  goTo(location: string): Reply {
    return redirectReply(location);
  }
  problem(error: Error): Reply {
    return standardReply(error, this.application, this.request);
  }
  /** The hidden field for a form that is sent to one of the account's pages. */
  csrf(page: string, method = "post"): SafeHtml {
    if (this.wantsJson) return raw(""); // no form is shown: a client without a session is given none
    return csrfInput(this.request, this.type.path(page), method);
  }
}
