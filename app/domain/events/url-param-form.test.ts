import { describe, expect, it } from "vitest";
import file from "../../../public/url_params.json";
import {
  applyParamIntent,
  filledParams,
  hasSameParams,
  paramIntent,
  previewUrlParams,
} from "./url-param-form";
import { readUrlParamDefinitions } from "./url-params";

const definitions = readUrlParamDefinitions(file);

describe("a preview of typed parameters", () => {
  it("has the valid values and names the field of every other", () => {
    const preview = previewUrlParams(definitions, {
      urlParams: { play: "1", qs: "5", ts: "99999", wts: "1e9", title: "" },
      extraParams: [
        { name: "", value: "" },
        { name: "applicationKey", value: "x" },
        { name: "later", value: "2" },
        { name: "long", value: "x".repeat(10_000) },
      ],
    });
    // A value that equals the default is shown as given.
    expect(preview.values).toEqual({ play: "1", later: "2" });
    expect(preview.errors).toEqual({
      "urlParams.qs": ["events:errors.urlParams.choice"],
      "urlParams.ts": ["events:errors.urlParams.range"],
      "urlParams.wts": ["events:errors.urlParams.number"],
      "extraParams[1].name": ["events:errors.urlParams.rejected"],
      "extraParams[3].value": ["events:errors.urlParams.value"],
    });
  });

  it("is empty for an empty form", () => {
    expect(previewUrlParams(definitions, {})).toEqual({ values: {}, errors: {} });
  });
});

describe("parameters of two forms", () => {
  it("are the same in any order, and with empty fields", () => {
    const saved = { urlParams: { play: "1" }, extraParams: [{ name: "later", value: "1" }] };
    const typed = {
      urlParams: { qs: "", play: "1" },
      extraParams: [...saved.extraParams, { name: "", value: "" }],
    };
    expect(hasSameParams(saved, typed)).toBe(true);
    expect(hasSameParams(saved, { urlParams: { play: "0" }, extraParams: saved.extraParams })).toBe(false);
    expect(filledParams(typed)).toEqual([
      ["later", "1"],
      ["play", "1"],
    ]);
  });
});

describe("a button of a form without scripts", () => {
  const saved = { urlParams: { play: "1", qs: "1" }, extraParams: [{ name: "later", value: "1" }] };
  const typed = { urlParams: { play: "0", qs: "0", ts: "seven" }, extraParams: [] };

  it("resets one parameter and keeps the others as typed", () => {
    expect(applyParamIntent(paramIntent("reset", "qs"), typed, saved)).toEqual({
      urlParams: { play: "0", ts: "seven" },
      extraParams: [],
    });
  });

  it("brings the saved value of one parameter back", () => {
    expect(applyParamIntent(paramIntent("undo", "qs"), typed, saved)?.urlParams).toEqual({
      ...typed.urlParams,
      qs: "1",
    });
    expect(applyParamIntent(paramIntent("undo", "ts"), typed, saved)?.urlParams).toEqual({
      play: "0",
      qs: "0",
    });
  });

  it("resets all parameters, and brings the saved ones back", () => {
    expect(applyParamIntent(paramIntent("reset"), typed, saved)).toEqual({ urlParams: {}, extraParams: [] });
    expect(applyParamIntent(paramIntent("undo"), typed, saved)).toEqual(saved);
  });

  it("changes nothing for another intent or an unknown name", () => {
    expect(applyParamIntent("update", typed, saved)).toBeNull();
    expect(applyParamIntent(paramIntent("undo", "__proto__"), typed, saved)).toEqual(typed);
  });
});
