/** What a browser would send of a form that nobody touched. */
export function fieldsOf(html: string): Record<string, string> {
  const form = /<form[^>]* class="fw-form"[^>]*>(.*?)<\/form>/s
    .exec(html)![1]!
    .replace(/<template>.*?<\/template>/gs, "");
  const fields: Record<string, string> = {};
  const text = (value: string) => value.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(tag)?.[1];
    const isOff = /type="(?:checkbox|radio)"/.test(tag) && !/ checked/.test(tag);
    if (name && !isOff) fields[text(name)] = text(/ value="([^"]*)"/.exec(tag)?.[1] ?? "");
  }
  for (const [, tag, body] of form.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const name = / name="([^"]*)"/.exec(tag!)?.[1];
    if (name) fields[name] = /<option value="([^"]*)" selected/.exec(body!)?.[1] ?? "";
  }
  for (const [, tag, body] of form.matchAll(/<textarea\b([^>]*)>\n?(.*?)<\/textarea>/gs)) {
    const name = / name="([^"]*)"/.exec(tag!)?.[1];
    if (name) fields[name] = text(body!);
  }
  return fields;
}
