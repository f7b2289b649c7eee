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
import { AccountContext } from "./account_context.ts";
import { typedLoginOf } from "./typed_login.ts";

/** The content of a refused form: a message for the form, and errors by field. */
export interface Refusal {
  message?: string;
  fields?: FieldErrors;
  status?: number;
  code?: string;
  locals?: Record<string, unknown>;
}

/** Pages, redirects and JSON: the replies of every feature. */
export class Replies extends AccountContext {
  get controller(): AuthlibController {
    return this.request.controller as AuthlibController;
  }
  /** The least characters of a password; passwordComplexity() raises it. */
  get passwordMinimum(): number {
    return 8;
  }
  get wantsJson(): boolean {
    return this.request.format === "json" || (this.request.method !== "GET" && this.request.isJson);
  }
  /** A field of the request as text; undefined for other types. */
  param(name: string): string | undefined {
    const value = this.request.body.get(name);
    return typeof value === "string" ? value : undefined;
  }
  /** Errors for the fields that are empty or not text; undefined when all are filled in. */
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
    const breadcrumbs = breadcrumbsOf(this, view, title);
    const password_hint = this.t("password_hint", { count: this.passwordMinimum });
    const typed_login = typedLoginOf(this.session, this.type.name) ?? "";
    return this.controller.render(view, {
      status,
      locals: { title, breadcrumbs, password_hint, typed_login, values: {}, errors: {}, ...locals },
    });
  }
  /** A page as JSON: its name, the CSRF token for its forms, and its data. */
  jsonPage(view: string, shown: Record<string, unknown> = {}, status = 200): Reply {
    const token = this.request.cookieless ? {} : { csrf_token: headerToken(this.session) };
    return this.controller.json({ page: view, ...token, ...shown }, { status });
  }
  /** The page again, with errors beside their fields; for JSON a problem. */
  refuse(view: string, { message, fields = {}, status = 422, code = "FW_INVALID", locals = {} }: Refusal): Reply {
    const text = message ?? this.t("invalid");
    if (this.wantsJson) return this.problem(new HttpError(status, code, text, { fields }));
    const values = this.typed();
    return this.page(view, { ...locals, values, errors: fields, alert: text }, status);
  }
  /** The submitted values, without passwords and codes. */
  typed(): Record<string, string> {
    const kept = Object.entries(this.request.body.toObject()).filter(
      ([name, value]) => typeof value === "string" && !/password|code|otp/.test(name),
    );
    return Object.fromEntries(kept) as Record<string, string>;
  }
  /** A success: a redirect with a flash message, or `{ "success": … }`. */
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
  /** The hidden CSRF field for a form of one of the account's pages. */
  csrf(page: string, method = "post"): SafeHtml {
    if (this.wantsJson) return raw(""); // JSON has no form, and must not start a session
    return csrfInput(this.request, this.type.path(page), method);
  }
}

/** Of a page within a portal: the portal, the account, the page. */
function breadcrumbsOf(replies: Replies, view: string, title: string): { label: string; url?: string }[] {
  const { shell } = replies.controller;
  if (!shell) return [];
  const place = { label: shell.portal.label, url: shell.portal.root_url };
  const account = { label: replies.t("menu.account"), url: replies.type.path("account") };
  return view === "account" ? [place, account] : [place, account, { label: title }];
}
