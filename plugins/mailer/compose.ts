import { assumedZone, raw } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Texts } from "framewright/plugins/i18n";
import type { Views } from "framewright/plugins/views";
import type { Delivery, MailLook } from "./contract.ts";

export interface Composed {
  html: string | undefined;
  text: string;
}
type MailTemplate = Pick<Delivery, "names" | "subject" | "locals" | "locale" | "timeZone">;

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
/** Reverts the HTML escaping of values in a text body. One pass, so that nothing is unescaped twice. */
const unescapeHtml = (rendered: string): string =>
  rendered.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/** Renders a mail: its text, and its HTML inside `mailer/layout` if there is an HTML view. */
export function composer(views: Views, texts: Texts, { appUrl, timeZone: zone }: Settings) {
  return ({ names, subject, locals, locale, timeZone = assumedZone(zone) }: MailTemplate, look: MailLook): Composed => {
    const all = {
      request: { locale: locale ?? texts.locale, time_zone: timeZone },
      application: look.name,
      accent: look.accent,
      home_url: appUrl?.href,
      subject,
      ...locals,
    };
    const text = views.render({ names: names.map((name) => `${name}_text`), locals: all });
    const isHtml = names.some((name) => views.exists(undefined, name));
    if (!isHtml) return { html: undefined, text: unescapeHtml(text) };
    const content = raw(views.render({ names, locals: all }));
    return { html: views.render({ names: ["mailer/layout"], locals: { ...all, content } }), text: unescapeHtml(text) };
  };
}
