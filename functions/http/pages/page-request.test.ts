import { expect, it } from "vitest";
import { httpsUrl, isMalformedPageRequest, isSecureRequest, normaliseVisitorUrl } from "./page-request";

const toUrl = (url: string) => new URL(url, "https://hiroba.example");

it("finds requests that the router would report as errors", () => {
  for (const path of [
    "/login?_data=routes/login",
    "/login?x=1&_data",
    "/login?%5fdata=routes/login",
    "/%E0%A4%A",
    "/space/%ff",
  ])
    expect(isMalformedPageRequest(toUrl(path)), path).toBe(true);
  for (const path of ["/login?next=%2Faccount", "/space/%E8%97%8D", "/space/%00", "/login.data?_routes=root"])
    expect(isMalformedPageRequest(toUrl(path)), path).toBe(false);
});

it("normalises visitors' URLs, and leaves the URL of another page unchanged", () => {
  const id = "0b5a4a0c-3c1e-4f8e-9a57-2f6a1c9d0e11";
  const query = "?utm_source=x&lang=jp&token=a&token=b";
  for (const path of [
    `/event/published/${id}`,
    `/event/preview/${id}.data`,
    `/space/3d/${id}/sid`,
    `/event/published/${id}/shop`,
  ])
    expect(normaliseVisitorUrl(toUrl(path + query)).href).toBe(toUrl(`${path}?token=a&lang=ja`).href);
  expect(normaliseVisitorUrl(toUrl(`/login${query}`)).search).toBe(query);
});

it("removes the view of a link to a viewpoint, but not beside a poster or a dialog", () => {
  const path = "/event/published/0b5a4a0c-3c1e-4f8e-9a57-2f6a1c9d0e11";
  for (const view of ["", "w_0_1.6_0_0_0", "%E5%BA%83"])
    for (const suffix of ["", ".data"])
      expect(normaliseVisitorUrl(toUrl(`${path}${suffix}?token=a_-&view=${view}`)).href).toBe(
        toUrl(`${path}${suffix}?token=a_-`).href,
      );
  // The share dialog and the link behind a poster contain the view.
  for (const query of ["?token=a&view=x&poster=1", "?token=a&view=x&dialog=share"])
    expect(normaliseVisitorUrl(toUrl(path + query)).searchParams.get("view"), query).toBe("x");
});

it("redirects plain http to https, but never on this machine or in development", () => {
  expect(httpsUrl(new URL("http://hiroba.example/login?next=%2F"), false)).toBe(
    "https://hiroba.example/login?next=%2F",
  );
  expect(httpsUrl(new URL("http://hiroba.example:8080/"), false)).toBe("https://hiroba.example/");
  for (const url of [
    "https://hiroba.example/",
    "http://localhost:8787/",
    "http://127.0.0.1/",
    "http://[::1]:3000/",
    "http://a.localhost/",
  ])
    expect(httpsUrl(new URL(url), false), url).toBeNull();
  expect(httpsUrl(new URL("http://hiroba.example/"), true)).toBeNull();
});

it("treats a request as secure only over TLS, and never on this machine", () => {
  expect(isSecureRequest(new URL("https://hiroba.example/"))).toBe(true);
  expect(isSecureRequest(new URL("http://hiroba.example/"))).toBe(false);
  expect(isSecureRequest(new URL("https://localhost:8443/"))).toBe(false);
});
