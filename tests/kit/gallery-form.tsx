import { Button, ButtonRow, DefaultSubmit, LinkButton } from "~/components/button";
import { Container } from "~/components/container";
import { CheckboxField } from "~/components/fields/checkbox-field";
import { CopyField } from "~/components/fields/copy-field";
import { DateTimeField } from "~/components/fields/date-time-field";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { KeywordInput } from "~/components/fields/keyword-input";
import { NumberField } from "~/components/fields/number-field";
import { PasswordField } from "~/components/fields/password-field";
import { RadioCards } from "~/components/fields/radio-cards";
import { ComboboxField, SelectField } from "~/components/fields/select-field";
import { TextArea, TextField } from "~/components/fields/text-field";
import { PageHeader } from "~/components/page-header";
import { StatusButton, StatusShape } from "~/components/status/status";
import { type Context, GalleryTopBar } from "./gallery-frame";

export function SampleEventForm({ c, withErrors = false }: { c: Context; withErrors?: boolean }) {
  const statuses = [
    c.say("非公開", "Unpublished"),
    c.say("プレビュー", "Preview"),
    c.say("公開", "Published"),
    c.say("アーカイブ", "Archived"),
  ];
  const meanings = [
    c.say("すべてのリンクが無効です。編集のみできます。", "All links are closed. Only editing is possible."),
    c.say(
      "プレビューリンクが有効です。訪問は記録されません。",
      "The preview link is open. No visits are recorded.",
    ),
    c.say(
      "プレビューリンクと公開リンクが有効です。訪問が記録されます。",
      "The preview and public links are open. Visits are recorded.",
    ),
    c.say("すべてのリンクが無効です。", "All links are closed."),
  ];
  return (
    <form method="post" action="/form" id="event-form" className="flex flex-col gap-6">
      <DefaultSubmit name="intent" value="save" />
      <TextField
        name="eventName"
        label={c.say("イベント名", "Event name")}
        required
        maxCharacters={32}
        defaultValue={
          withErrors
            ? c.say("長すぎる名前".repeat(7), "A name that is much too long for a badge")
            : c.say("秋の新作展", "Autumn show")
        }
        error={
          withErrors ? c.say("32 文字以内で入力してください。", "Please use at most 32 characters.") : null
        }
      />
      <RadioCards
        name="statusId"
        label={c.say("ステータス", "Status")}
        required
        defaultValue="3"
        options={statuses.map((label, index) => ({
          value: String(index + 1),
          label,
          description: meanings[index],
          mark: <StatusShape statusId={index + 1} />,
        }))}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <DateTimeField
          name="startDate"
          label={c.say("開始日時", "Start")}
          defaultValue="2026-11-01T10:00"
          timeZone="Asia/Tokyo"
          otherEvents={[
            {
              name: c.say("秋の展示", "Autumn show"),
              startDate: "2026-11-03T01:00:00.000Z",
              endDate: "2026-11-05T09:00:00.000Z",
            },
          ]}
          error={withErrors ? c.say("終了日時より前にしてください。", "Must be before the end.") : null}
        />
        <DateTimeField name="endDate" label={c.say("終了日時", "End")} timeZone="Asia/Tokyo" />
      </div>
      <CheckboxField
        name="auto"
        label={c.say("ステータスを自動で変更する", "Change the status automatically")}
        hint={c.say(
          "開始日時を過ぎると「公開」に、終了日時を過ぎると「アーカイブ」になります。",
          "Becomes Published after the start and Archived after the end.",
        )}
        defaultChecked
      />
      <CopyField
        id="public-link"
        label={c.say("公開リンク", "Public link")}
        value="https://hiroba.example/event/published/0f3c1a52-5a70-4a35-9a5e-3f2b7d1c8e44?token=q8Zt1mB3"
        hint={c.say("このリンクは現在有効です。", "This link is open.")}
      />
      <TextArea
        name="eventDetail"
        label={c.say("イベント詳細", "Details")}
        hint={c.say("来場者に、空間の横で表示されます。", "Shown to visitors next to the space.")}
        maxCharacters={1000}
        defaultValue={c.say(
          "三つの部屋を歩きながら、この秋の新作をご覧ください。気に入った作品はその場で購入できます。",
          "Walk through three rooms and see what is new this autumn. What you like can be bought on the spot.",
        )}
      />
      <KeywordInput
        name="keywords"
        label={c.say("キーワード", "Keywords")}
        suggestions={["pottery", "porcelain", "paper"]}
        defaultValue={[c.say("陶器", "pottery"), c.say("染物", "dyeing"), c.say("木工", "woodwork")]}
      />
      <ComboboxField
        name="groupId"
        label={c.say("グループ", "Group")}
        defaultValue="kiln"
        options={[
          { value: "", label: c.say("共有しない", "Nobody") },
          { value: "kiln", label: c.say("窯元", "Kiln") },
          { value: "dyers", label: c.say("染色工房", "Dyers of Nishijin") },
          { value: "joiners", label: c.say("指物師", "Joiners") },
          { value: "tea", label: c.say("ティーハウス", "Tea house") },
        ]}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <NumberField
          name="hr"
          label={c.say("向き", "Heading")}
          min={0}
          max={360}
          step={1}
          defaultValue={90}
          unit="°"
        />
        <SelectField
          name="lang"
          label={c.say("表示言語", "Language")}
          defaultValue="ja"
          options={[
            { value: "ja", label: "日本語" },
            { value: "en", label: "English" },
          ]}
        />
      </div>
      <PasswordField
        name="publishPassword"
        label={c.say("公開パスワード", "Publish password")}
        autoComplete="off"
        hint={c.say("空欄のままなら、今のパスワードが残ります。", "Left empty, the present one stays.")}
        error={withErrors ? c.say("パスワードを入力してください。", "Please enter a password.") : null}
      />
      <ButtonRow>
        <Button variant="primary" type="submit" name="intent" value="save">
          {c.say("更新", "Update")}
        </Button>
        <LinkButton href="/cards">{c.say("キャンセル", "Cancel")}</LinkButton>
      </ButtonRow>
    </form>
  );
}

export function FormPage({ c, withErrors = false }: { c: Context; withErrors?: boolean }) {
  return (
    <>
      <GalleryTopBar
        c={c}
        tone="white"
        title={c.say("秋の新作展", "Autumn show")}
        status={<StatusButton statusId={3} href="/dialog" />}
      />
      <Container as="main" id="main" width="form">
        <PageHeader
          title={c.say("イベント設定", "Event settings")}
          breadcrumbs={[
            { label: c.say("スペース一覧", "Spaces"), href: "/cards" },
            { label: c.say("表参道ショールーム", "Omotesando showroom"), href: "/table" },
          ]}
        />
        {withErrors && (
          <div className="mb-6">
            <FormErrorSummary
              errors={[
                {
                  id: "eventName",
                  message: c.say(
                    "イベント名は 32 文字以内で入力してください。",
                    "Event name: please use at most 32 characters.",
                  ),
                },
                {
                  id: "startDate",
                  message: c.say(
                    "開始日時は終了日時より前にしてください。",
                    "Start: must be before the end.",
                  ),
                },
                {
                  id: "publishPassword",
                  message: c.say("パスワードを入力してください。", "Please enter a password."),
                },
              ]}
            />
          </div>
        )}
        <SampleEventForm c={c} withErrors={withErrors} />
      </Container>
    </>
  );
}
