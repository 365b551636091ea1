import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { readingDirections } from './libraries.ts'
import { Id, Nullable, OneOf, record } from './schema.ts'

const tag = 'Reading'

/** The last level that has a value wins. */
export const readerLevels = ['user', 'device', 'library', 'series'] as const
export type ReaderLevel = (typeof readerLevels)[number]

/** The limit holds per user, over all levels. */
export const readerSettingsMax = 5000

const Direction = OneOf(['auto', ...readingDirections], { description: '`auto`: as the book says.' })
const Spreads = OneOf(['auto', 'single', 'double'], {
  description: '`auto`: two pages where the window is wide enough.',
})
const Fit = OneOf(['smart', 'screen', 'width', 'height', 'original'], {
  description: '`smart`: all of the page, enlarged if need be; `screen`: all of it, never enlarged.',
})
const Background = OneOf(['theme', 'black', 'dark', 'grey', 'white', 'paper', 'page'], {
  description: 'Around pages. `theme`: as the app; `page`: the colour at the edge of the page.',
})
const TapZones = OneOf(['sides', 'one-hand', 'off'], { description: 'Where a tap turns the page.' })
const Gap = Type.Integer({ minimum: 0, maximum: 100, description: 'Between pages, in pixels.' })
const SidePadding = Type.Integer({ minimum: 0, maximum: 45, description: 'Left and right of a scroll, in percent.' })
const CoverAlone = Type.Boolean({ description: 'The first page stands alone, not in a spread.' })

const WidePages = OneOf(['whole', 'split', 'turn'], {
  description: 'Two pages in one picture, on a screen that is higher than wide: one half at a time, or turned.',
})
const Shade = Type.Integer({ minimum: 50, maximum: 150, description: 'Of the picture, in percent.' })
const Warmth = Type.Integer({ minimum: 0, maximum: 100, description: 'Of the picture, in percent.' })
const Invert = Type.Boolean({ description: 'Dark becomes light, and light dark.' })
const Grey = Type.Boolean({ description: 'The picture without its colours.' })

const TextFlow = OneOf(['paged', 'scrolled'], { description: 'Of ebooks: page by page, or chapters that scroll.' })
const TextTheme = OneOf(['app', 'light', 'sepia', 'grey', 'dark', 'oled', 'own'], {
  description: 'Of ebooks. `own`: `textColour` on `pageColour`.',
})
const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$' })
const TextFont = Type.String({
  pattern: '^(publisher|serif|sans|clear|mono|own:[0-9a-f-]{36})$',
  description: 'Of ebooks. `clear`: easy to tell letters apart; `own:` and the id of a font of yours.',
})
const TextSize = Type.Integer({ minimum: 50, maximum: 400, description: 'Of ebooks, in percent.' })
const LineHeight = Type.Integer({ minimum: 100, maximum: 300, description: 'Of ebooks, in percent of the letters.' })
const TextMargin = Type.Integer({ minimum: 0, maximum: 25, description: 'Of ebooks, in percent of the window.' })
const TextAlign = OneOf(['publisher', 'justify', 'start'], { description: 'Of ebooks.' })
const Hyphens = OneOf(['publisher', 'on', 'off'], { description: 'Of ebooks.' })
const Columns = OneOf(['auto', 'one', 'two'], { description: 'Of ebooks. `auto`: two where there is room.' })

const fields = {
  direction: Direction,
  spreads: Spreads,
  fit: Fit,
  background: Background,
  tapZones: TapZones,
  gap: Gap,
  sidePadding: SidePadding,
  coverAlone: CoverAlone,
  widePages: WidePages,
  brightness: Shade,
  contrast: Shade,
  warmth: Warmth,
  invert: Invert,
  grey: Grey,
  textFlow: TextFlow,
  textTheme: TextTheme,
  textColour: Colour,
  pageColour: Colour,
  textFont: TextFont,
  textSize: TextSize,
  lineHeight: LineHeight,
  textMargin: TextMargin,
  textAlign: TextAlign,
  hyphens: Hyphens,
  columns: Columns,
}

export const ReaderSettings = record(
  {
    direction: Type.Optional(Direction),
    spreads: Type.Optional(Spreads),
    fit: Type.Optional(Fit),
    background: Type.Optional(Background),
    tapZones: Type.Optional(TapZones),
    gap: Type.Optional(Gap),
    sidePadding: Type.Optional(SidePadding),
    coverAlone: Type.Optional(CoverAlone),
    widePages: Type.Optional(WidePages),
    brightness: Type.Optional(Shade),
    contrast: Type.Optional(Shade),
    warmth: Type.Optional(Warmth),
    invert: Type.Optional(Invert),
    grey: Type.Optional(Grey),
    textFlow: Type.Optional(TextFlow),
    textTheme: Type.Optional(TextTheme),
    textColour: Type.Optional(Colour),
    pageColour: Type.Optional(Colour),
    textFont: Type.Optional(TextFont),
    textSize: Type.Optional(TextSize),
    lineHeight: Type.Optional(LineHeight),
    textMargin: Type.Optional(TextMargin),
    textAlign: Type.Optional(TextAlign),
    hyphens: Type.Optional(Hyphens),
    columns: Type.Optional(Columns),
  },
  { title: 'ReaderSettings', description: 'What is not there has not been said.' },
)
export type ReaderSettings = Static<typeof ReaderSettings>

const ReaderSettingsChange = record(
  {
    direction: Type.Optional(Nullable(Direction)),
    spreads: Type.Optional(Nullable(Spreads)),
    fit: Type.Optional(Nullable(Fit)),
    background: Type.Optional(Nullable(Background)),
    tapZones: Type.Optional(Nullable(TapZones)),
    gap: Type.Optional(Nullable(Gap)),
    sidePadding: Type.Optional(Nullable(SidePadding)),
    coverAlone: Type.Optional(Nullable(CoverAlone)),
    widePages: Type.Optional(Nullable(WidePages)),
    brightness: Type.Optional(Nullable(Shade)),
    contrast: Type.Optional(Nullable(Shade)),
    warmth: Type.Optional(Nullable(Warmth)),
    invert: Type.Optional(Nullable(Invert)),
    grey: Type.Optional(Nullable(Grey)),
    textFlow: Type.Optional(Nullable(TextFlow)),
    textTheme: Type.Optional(Nullable(TextTheme)),
    textColour: Type.Optional(Nullable(Colour)),
    pageColour: Type.Optional(Nullable(Colour)),
    textFont: Type.Optional(Nullable(TextFont)),
    textSize: Type.Optional(Nullable(TextSize)),
    lineHeight: Type.Optional(Nullable(LineHeight)),
    textMargin: Type.Optional(Nullable(TextMargin)),
    textAlign: Type.Optional(Nullable(TextAlign)),
    hyphens: Type.Optional(Nullable(Hyphens)),
    columns: Type.Optional(Nullable(Columns)),
  },
  { title: 'ReaderSettingsChange' },
)
export type ReaderSettingsChange = Static<typeof ReaderSettingsChange>

export const readerSettingNames = Object.keys(fields) as (keyof ReaderSettings)[]

const LevelId = Type.String({ minLength: 1, maxLength: 128 })

export const ReaderSettingsLevel = record(
  { level: OneOf(readerLevels), id: LevelId, values: ReaderSettings },
  { title: 'ReaderSettingsLevel' },
)
export type ReaderSettingsLevel = Static<typeof ReaderSettingsLevel>

const exampleUserId = '019aa3b2-6c7e-7000-8000-000000000001'
const exampleLevel: ReaderSettingsLevel = {
  level: 'series',
  id: '019aa3b2-6c7e-7000-8000-000000000030',
  values: { direction: 'rtl', spreads: 'double' },
}

export const readReaderSettings = endpoint('GET /api/v1/user/reader-settings', {
  summary: 'How you read',
  description: [
    'Of the levels asked for, from the one that counts least: you everywhere, a device, a library, a series. `effective`',
    'is what counts of them all. A series brings its library with it.',
  ].join(' '),
  tag,
  access: 'signed-in',
  query: Type.Object({
    deviceId: Type.Optional(LevelId),
    libraryId: Type.Optional(Id),
    seriesId: Type.Optional(Id),
  }),
  reply: record(
    { effective: ReaderSettings, levels: Type.Array(ReaderSettingsLevel, { maxItems: readerLevels.length }) },
    { title: 'EffectiveReaderSettings' },
  ),
  errors: ['not_found'],
  example: {
    reply: {
      effective: { direction: 'rtl', spreads: 'double', fit: 'screen' },
      levels: [{ level: 'user', id: exampleUserId, values: { fit: 'screen', spreads: 'single' } }, exampleLevel],
    },
  },
})

const ofLevel = Type.Object({ level: OneOf(readerLevels), id: LevelId })

export const saveReaderSettings = endpoint('PUT /api/v1/user/reader-settings/{level}/{id}', {
  summary: 'Say how you read',
  description: [
    'Everywhere (`user` and your own id), on a device (the id it sends as `X-Device-Id`), in a library or a series. What is',
    `named is set, \`null\` takes it back, the rest stays. Up to ${readerSettingsMax} of them.`,
  ].join(' '),
  tag,
  access: 'progress:write',
  params: ofLevel,
  body: record({ values: ReaderSettingsChange }, { title: 'SaveReaderSettings' }),
  reply: ReaderSettingsLevel,
  errors: ['not_found', 'conflict'],
  example: { body: { values: { direction: 'rtl', fit: null } }, reply: exampleLevel },
})
