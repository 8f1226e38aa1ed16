import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import { I18nextProvider } from "~/i18n/translation";
import { Button, DefaultSubmit, IconButton } from "./button";
import { Card } from "./card";
import { DateTime } from "./date-time";
import { Dialog } from "./dialog";
import { CopyField } from "./fields/copy-field";
import { DateTimeField } from "./fields/date-time-field";
import { FormErrorSummary } from "./fields/form-error-summary";
import { KeywordInput } from "./fields/keyword-input";
import { splitKeywords } from "./fields/keyword-input.client";
import { RadioCards } from "./fields/radio-cards";
import { TextArea, TextField } from "./fields/text-field";
import { ICON_NAMES, Icon, isIconName } from "./icon";
import sprite from "./icons.svg?raw";
import { LanguageSwitch, withLang } from "./menus/language-switch";
import { UserMenu } from "./menus/user-menu";
import { Pager } from "./pager";
import { Meter } from "./status/meter";
import { StatusBadge, StatusButton } from "./status/status";
import { StatusTimeline, timelineScale } from "./status/status-timeline";
import { Toast } from "./status/toast";
import { Table } from "./table";
import { VersionText } from "./version-text";

/** Returns the server's HTML of an element. */
function html(element: ReactElement, lang: Lang = "en"): string {
  return renderToStaticMarkup(<I18nextProvider i18n={languages[lang].i18n}>{element}</I18nextProvider>);
}

const text = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

describe("fields", () => {
  test("a field labels its control, and hint, counter and error describe it", () => {
    const markup = html(
      <TextField
        name="eventName"
        label="Event name"
        hint="Shown to visitors"
        error={["Too long", "Taken"]}
        maxCharacters={32}
      />,
    );
    expect(markup).toContain('<label for="eventName"');
    expect(markup).toContain('aria-describedby="eventName-hint eventName-count eventName-error"');
    expect(markup).toContain('aria-invalid="true"');
    expect(text(markup)).toContain("Too long Taken");
    for (const id of ["eventName-hint", "eventName-count", "eventName-error"])
      expect(markup).toContain(`id="${id}"`);
  });

  test("a field without hint or error refers to neither", () => {
    const markup = html(<TextField name="name" label="Name" error={[]} />);
    expect(markup).not.toContain("aria-describedby");
    expect(markup).not.toContain("aria-invalid");
  });

  test("the server counts code points and truncates nothing", () => {
    expect(
      text(html(<TextField name="name" label="Name" defaultValue="広場👘" maxCharacters={32} />)),
    ).toContain("3 / 32");
    const longText = html(
      <TextArea name="detail" label="Detail" defaultValue={"あ".repeat(1001)} maxCharacters={1000} />,
      "ja",
    );
    expect(text(longText)).toContain("1文字超えています");
    expect(longText).not.toContain("maxlength");
    expect(longText).toContain("あ".repeat(1001));
  });

  test("a date field has buttons that clear and undo on the server, and uses the 24-hour clock", () => {
    const field = (
      <DateTimeField name="endDate" label="End" defaultValue="2026-12-24T21:05" timeZone="Asia/Tokyo" />
    );
    const markup = html(field);
    expect(markup).toMatch(/<input type="text"[^>]*value="2026\/12\/24 21:05"/);
    expect(markup).toMatch(
      /<button type="submit"[^>]*formnovalidate=""[^>]*name="intent" value="clear:endDate"/,
    );
    expect(markup).toMatch(/<button type="submit"[^>]*name="intent" value="undo:endDate"/);
    expect(text(markup)).toMatch(/Japan time.*Thu 24 Dec 2026, 21:05/);
    expect(text(html(field, "ja"))).toMatch(/日本時間.*2026年12月24日\(木\) 21:05/);
  });

  test("the server renders keywords as a text field, and a text is split at commas and line breaks", () => {
    expect(html(<KeywordInput name="keywords" label="Keywords" defaultValue={["sofa", "lamp"]} />)).toMatch(
      /<input type="text" name="keywords"[^>]*value="sofa, lamp"/,
    );
    expect(splitKeywords(" sofa,lamp、 椅子，sofa,,\n机")).toEqual(["sofa", "lamp", "椅子", "机"]);
  });

  test("a copy field is a read-only text field, or a text area if its value wraps", () => {
    expect(html(<CopyField id="link" label="Public link" value="https://hiroba.example/" />)).toMatch(
      /<input id="link"[^>]*readonly=""[^>]*value="https:\/\/hiroba.example\/"/,
    );
    expect(html(<CopyField id="key" label="Key" value="ABCD EFGH" wraps />)).toMatch(
      /<textarea id="key"[^>]*readonly=""[^>]*>ABCD EFGH<\/textarea>/,
    );
  });

  test("radio cards are radio buttons with descriptions, and the first one has the field's id", () => {
    const markup = html(
      <RadioCards
        name="statusId"
        label="Status"
        defaultValue="2"
        options={[
          { value: "1", label: "Unpublished", description: "All links are closed." },
          { value: "2", label: "Preview" },
        ]}
      />,
    );
    expect(markup).toMatch(
      /<input type="radio" id="statusId"[^>]*aria-describedby="statusId-about"[^>]*value="1"/,
    );
    expect(markup).toMatch(/id="statusId-about"[^>]*>All links are closed\./);
    expect(markup).toMatch(/<input type="radio" id="statusId-2"[^>]*checked=""[^>]*value="2"/);
  });

  test("the error summary links to fields, and is not rendered without errors", () => {
    const markup = html(
      <FormErrorSummary
        errors={[
          { id: "eventName", label: "Event name", message: "Too long" },
          { id: "", message: "Please try again" },
        ]}
      />,
    );
    expect(markup).toContain('<a href="#eventName"');
    expect(text(markup)).toContain("Event name: Too long");
    expect(markup).toMatch(/role="alert" tabindex="-1" autofocus=""/i);
    expect(text(markup)).toContain("Please try again");
    expect(html(<FormErrorSummary errors={[]} />)).toBe("");
  });

  test("buttons do not submit by default, and the default submit button is hidden and not in the tab order", () => {
    expect(html(<Button>Later</Button>)).toContain('type="button"');
    expect(html(<Button pending>Save</Button>)).toMatch(
      /^<button type="button" aria-disabled="true" aria-busy="true"/,
    );
    expect(html(<IconButton icon="copy" label="Copy" />)).toMatch(/^<button type="button" aria-label="Copy"/);
    expect(html(<DefaultSubmit />)).toMatch(
      /type="submit" tabindex="-1" aria-hidden="true" class="sr-only"/i,
    );
  });
});

describe("status", () => {
  test.each([
    [1, "Unpublished"],
    [2, "Preview"],
    [3, "Published"],
    [4, "Archived"],
    [0, ""],
    [5, ""],
  ])("%i is labelled “%s”", (statusId, label) => {
    const markup = html(<StatusBadge statusId={statusId} />);
    expect(text(markup)).toBe(label);
    expect(markup).toContain("<svg");
  });

  test("the status button says Unknown for a number that is no status, and links to the dialog", () => {
    expect(html(<StatusButton statusId={7} href="?dialog=status" />)).toContain("Unknown");
    expect(html(<StatusButton statusId={3} href="?dialog=status" />, "ja")).toContain(
      'href="?dialog=status"',
    );
  });

  test("the timeline has room for start, end and now, and shows now and the end in chronological order", () => {
    for (const [start, end, now] of [
      [0, 100, 50],
      [0, 100, -50],
      [0, 100, 500],
      [0, 0, 0],
    ] as const) {
      const toPosition = timelineScale(start, end, now);
      for (const time of [start, end, now]) {
        expect(toPosition(time)).toBeGreaterThanOrEqual(0);
        expect(toPosition(time)).toBeLessThanOrEqual(100);
      }
      expect(Math.sign(toPosition(end) - toPosition(now))).toBe(Math.sign(end - now));
    }
  });

  test("the timeline is rendered by the server, and states the current time in the account's time zone", () => {
    const markup = html(
      <StatusTimeline
        start="2026-11-01T01:00:00.000Z"
        end={null}
        now="2026-11-20T04:00:00.000Z"
        statusId={3}
        timeZone="Asia/Tokyo"
      />,
    );
    expect(markup).toContain("<svg");
    expect(markup).not.toContain("NaN");
    expect(markup).toMatch(/aria-label="[^"]*20 Nov 2026, 13:00/);
  });
});

describe("navigation", () => {
  test("the link to the other language keeps the page and all other parameters", () => {
    expect(withLang("/event/published/1?token=a%2Bb&lang=ja", "en")).toBe(
      "/event/published/1?token=a%2Bb&lang=en",
    );
    expect(withLang("/login", "ja")).toBe("/login?lang=ja");
    expect(withLang("https://hiroba.example/login?next=%2Flibrary", "en")).toBe(
      "/login?next=%2Flibrary&lang=en",
    );
    expect(html(<LanguageSwitch lang="ja" url="/login" />, "ja")).toMatch(
      /href="\/login\?lang=ja" lang="ja"[^>]*aria-current="true"/,
    );
  });

  test("logging out is a form, not a link", () => {
    const markup = html(
      <UserMenu
        name="花子"
        items={[{ href: "/library", label: "Library" }]}
        logoutAction="/logout"
        onShortcuts={() => {}}
      />,
    );
    expect(markup).toMatch(/<form method="post" action="\/logout"><button type="submit"/);
    expect(markup).toContain('href="/library"');
    expect(markup).toContain('data-initial="花"');
  });

  test("the pager has links only to existing pages, and shows the range or, for a single page, the total", () => {
    const markup = html(
      <Pager previousHref={null} nextHref="?after=x" range={{ from: 1, to: 20, total: 57 }} />,
    );
    expect(markup.match(/<a /g)).toHaveLength(1);
    expect(markup).toContain('href="?after=x" rel="next"');
    expect(text(markup)).toContain("1–20 of 57");
    const rangeText = (to: number, total: number) =>
      text(html(<Pager previousHref={null} nextHref={null} range={{ from: 1, to, total }} />, "ja"));
    expect(rangeText(50, 120)).toContain("120件中 1〜50件");
    expect(rangeText(3, 3)).toMatch(/(^|\D)3件$/);
  });

  test("the server renders a dialog open, with a link that closes it", () => {
    const markup = html(
      <Dialog title="New space" closeHref="/space-list?page=2">
        <p>…</p>
      </Dialog>,
    );
    expect(markup).toMatch(/<dialog [^>]*open=""[^>]*aria-labelledby="([^"]+)".*id="\1"/);
    expect(markup).toContain('href="/space-list?page=2"');
  });
});

describe("content", () => {
  const columns = [
    {
      key: "name",
      header: "Name",
      cell: (row: { id: string }) => row.id,
      sort: { href: "?sort=name", direction: "asc" as const },
    },
    { key: "note", header: "Note", cell: () => "–" },
  ];

  test("a table has a caption, a header for each row and column, and sorts by links", () => {
    const markup = html(
      <Table caption="Events" columns={columns} rows={[{ id: "a" }]} rowKey={(row) => row.id} />,
    );
    expect(markup).toContain("<caption");
    expect(markup).toMatch(/<th scope="col" aria-sort="ascending"[^>]*><a href="\?sort=name"/);
    expect(markup.match(/<th scope="col"/g)).toHaveLength(columns.length);
    expect(markup).toContain('<th scope="row"');
  });

  test("a table without rows shows the next step", () => {
    expect(
      html(
        <Table
          caption="Events"
          columns={columns}
          rows={[]}
          rowKey={(row) => row.id}
          empty={<p>Create one</p>}
        />,
      ),
    ).toBe("<p>Create one</p>");
  });

  test("a card's image has its size before it is loaded, and loads lazily", () => {
    expect(
      html(<Card title="Hall" href="/space/1" image={{ src: "/p.webp", width: 640, height: 360 }} />),
    ).toMatch(/<img src="\/p.webp" width="640" height="360" alt="" loading="lazy"/);
    expect(html(<Card title="Hall" href="/space/1" image={null} />)).not.toContain("<img");
  });

  test("a toast is in a status region, which exists without a toast, so that the next one is announced", () => {
    expect(html(<Toast toast={{ id: "1", message: "Event has been updated." }} />)).toMatch(
      /role="status"[^>]*>.*Event has been updated\./,
    );
    expect(text(html(<Toast toast={null} />))).toBe("");
    expect(html(<Toast toast={null} />)).toContain('role="status"');
  });

  test("a meter never shows more than 100 %, also when the limit is 0", () => {
    expect(html(<Meter label="Spaces" value={12} max={10} />)).toContain("width:100%");
    expect(html(<Meter label="Spaces" value={0} max={0} />)).toContain("width:100%");
    expect(text(html(<Meter label="Spaces" value={3} max={10} />))).toContain("3 / 10");
  });

  test("an instant is written in the reader's language and the account's time zone", () => {
    const moment = <DateTime instant="2026-12-31T15:30:00.000Z" timeZone="Asia/Tokyo" />;
    expect(text(html(moment, "ja"))).toBe("2027年1月1日 00:30");
    expect(text(html(moment))).toBe("1 Jan 2027, 00:30");
    expect(html(moment)).toContain('dateTime="2026-12-31T15:30:00.000Z"');
    expect(text(html(<DateTime instant="nonsense" timeZone="Asia/Tokyo" />))).toBe("");
  });

  test("the version is shown unless it is null", () => {
    expect(html(<VersionText version={null} />)).toBe("");
    expect(text(html(<VersionText version="0.1.0" />))).toBe("Version 0.1.0");
  });

  test("every icon is a symbol of icons.svg, and isIconName rejects the name of an inherited property", () => {
    const symbolIds = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
    expect(symbolIds.sort()).toEqual([...ICON_NAMES].sort());
    expect(html(<Icon name="info" />)).toMatch(/aria-hidden="true".*#info"/);
    expect(isIconName("info")).toBe(true);
    expect(isIconName("constructor")).toBe(false);
  });
});
