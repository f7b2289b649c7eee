import { accentOf, contrast, readable, rgbOf, styleSheet } from "../../../plugins/branding/colours.ts";
import { assert, describe } from "../../support/index.ts";

const white = rgbOf("#ffffff");

describe("The colours of a brand", (it) => {
  it("Contrasts are those of WCAG", () => {
    assert.is(contrast(white, rgbOf("#000000")), 21);
    assert.is(contrast(rgbOf("#777777"), white).toFixed(3), "4.478");
    assert.is(contrast(rgbOf("#767676"), white).toFixed(3), "4.542");
  });
  it("A colour that can be read stays, and a paler one has the nearest darker one", () => {
    assert.is(readable("#7a1f5c"), "#7a1f5c");
    const darker = readable("#ffd400");
    assert.ok(contrast(rgbOf(darker), white) >= 4.5);
    assert.is(readable(darker), darker);
  });
  it("Every colour has shades that can be read, of texts and of buttons, in both themes", () => {
    for (let red = 0; red < 256; red += 51)
      for (let green = 0; green < 256; green += 51)
        for (let blue = 0; blue < 256; blue += 51) {
          const hex = readable(`#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`);
          const { light, dark, darkButton } = accentOf(hex);
          for (const ground of ["#ffffff", "#f7f8f9"]) assert.ok(contrast(rgbOf(light), rgbOf(ground)) >= 4.5, hex);
          for (const ground of ["#10151c", "#1d2531"]) assert.ok(contrast(rgbOf(dark), rgbOf(ground)) >= 4.5, hex);
          assert.ok(
            contrast(rgbOf(darkButton), white) >= 4.5 && contrast(rgbOf(darkButton), rgbOf("#181f29")) >= 3,
            hex,
          );
        }
    assert.match(styleSheet("#7a1f5c"), "--fw-accent:light-dark(#7a1f5c,#");
  });
});
