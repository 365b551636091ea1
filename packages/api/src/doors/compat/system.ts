import { type Static, Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Json, record } from '../../schema.ts'
import { CompatId, compatPageOf, compatPaging } from './page.ts'
import { compat } from './shared.ts'

export const readCompatClaim = endpoint('GET /{prefix}/api/v1/claim', {
  ...compat,
  summary: 'Whether the server has users already',
  access: 'open',
  reply: record({ isClaimed: Type.Boolean() }),
  example: { reply: { isClaimed: true } },
})

const inWebApp = { ...compat, access: 'open', status: 303, errors: ['not_found'] } as const
export const openCompatSeries = endpoint('GET /{prefix}/series/{seriesId}', {
  ...inWebApp,
  summary: 'Leads to a series in the web app',
  params: Type.Object({ seriesId: CompatId }),
})
export const openCompatBook = endpoint('GET /{prefix}/book/{bookId}', {
  ...inWebApp,
  summary: 'Leads to a book in the web app',
  params: Type.Object({ bookId: CompatId }),
})

export const compatClaim = endpoint('POST /{prefix}/api/v1/claim', {
  ...compat,
  summary: 'Refused: the first administrator is made in the web app, with the setup token',
  access: 'open',
  errors: ['validation_failed', 'not_allowed'],
})

const settingKey = '^[a-z](?:[a-z0-9_-]*[a-z0-9])*(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])*)*$'
const SettingKey = Type.String({ pattern: settingKey, minLength: 1, maxLength: 255 })
const Value = Type.String({ maxLength: 65_536 })
const keysOfSettings = Type.Array(SettingKey, { maxItems: 1000, title: 'CompatSettingKeys' })

const GlobalSettings = Type.Record(
  Type.String({ pattern: settingKey, maxLength: 255 }),
  Type.Object({ value: Value, allowUnauthorized: Type.Optional(Type.Boolean()) }),
  { title: 'CompatGlobalSettings', maxProperties: 1000, additionalProperties: false },
)
const UserSettings = Type.Record(Type.String({ pattern: settingKey, maxLength: 255 }), Type.Object({ value: Value }), {
  title: 'CompatUserSettings',
  maxProperties: 1000,
  additionalProperties: false,
})
export type CompatUserSettings = Static<typeof UserSettings>
export type CompatGlobalSettings = Static<typeof GlobalSettings>

export const listCompatGlobalSettings = endpoint('GET /{prefix}/api/v1/client-settings/global/list', {
  ...compat,
  summary: 'What apps keep here for everybody',
  description: 'Whoever has not signed in gets what is open to all.',
  access: 'optional',
  reply: GlobalSettings,
  example: { reply: { 'webui.oauth2.hide_login': { value: 'false', allowUnauthorized: true } } },
})

export const listCompatUserSettings = endpoint('GET /{prefix}/api/v1/client-settings/user/list', {
  ...compat,
  summary: 'What apps keep here for you',
  access: 'signed-in',
  reply: UserSettings,
  example: { reply: { 'webui.theme': { value: 'dark' } } },
})

export const saveCompatUserSettings = endpoint('PATCH /{prefix}/api/v1/client-settings/user', {
  ...compat,
  summary: 'Keep something for you',
  access: 'progress:write',
  body: UserSettings,
  errors: ['conflict'],
  example: { body: { 'webui.theme': { value: 'dark' } } },
})

export const saveCompatGlobalSettings = endpoint('PATCH /{prefix}/api/v1/client-settings/global', {
  ...compat,
  summary: 'Keep something for everybody',
  access: 'settings:write',
  body: GlobalSettings,
  errors: ['conflict'],
  example: { body: { 'webui.poster.stretch': { value: 'true', allowUnauthorized: false } } },
})

export const deleteCompatUserSettings = endpoint('DELETE /{prefix}/api/v1/client-settings/user', {
  ...compat,
  summary: 'Forget what was kept for you',
  access: 'progress:write',
  body: keysOfSettings,
  example: { body: ['webui.theme'] },
})

export const deleteCompatGlobalSettings = endpoint('DELETE /{prefix}/api/v1/client-settings/global', {
  ...compat,
  summary: 'Forget what was kept for everybody',
  access: 'settings:write',
  body: keysOfSettings,
  example: { body: ['webui.poster.stretch'] },
})

const ActuatorInfo = record(
  {
    build: record({ artifact: Type.String(), name: Type.String(), group: Type.String(), version: Type.String() }),
    git: record({
      branch: Type.String(),
      commit: record({ id: Type.String(), time: Type.String() }),
    }),
    java: record({ version: Type.String() }),
    os: record({ name: Type.String(), version: Type.String(), arch: Type.String() }),
  },
  { title: 'CompatActuatorInfo' },
)

export const readCompatActuatorInfo = endpoint('GET /{prefix}/actuator/info', {
  ...compat,
  summary: 'What runs here',
  access: 'system:admin',
  reply: ActuatorInfo,
  example: {
    reply: {
      build: { artifact: 'carrel', name: 'Carrel', group: 'carrel', version: '1.0.0' },
      git: { branch: 'main', commit: { id: '', time: '' } },
      java: { version: '' },
      os: { name: 'linux', version: '', arch: 'x64' },
    },
  },
})

export const readCompatAnnouncements = endpoint('GET /{prefix}/api/v1/announcements', {
  ...compat,
  summary: 'News of another project: none',
  access: 'system:admin',
  reply: record(
    {
      version: Type.String(),
      title: Type.String(),
      home_page_url: Type.String(),
      description: Type.String(),
      items: Type.Array(Json),
    },
    { title: 'CompatAnnouncements' },
  ),
  example: {
    reply: {
      version: 'https://jsonfeed.org/version/1',
      title: 'Announcements',
      home_page_url: '',
      description: '',
      items: [],
    },
  },
})

export const readCompatReleases = endpoint('GET /{prefix}/api/v1/releases', {
  ...compat,
  summary: 'Releases of another project: none',
  access: 'system:admin',
  reply: Type.Array(Json),
  example: { reply: [] },
})

const emptyPage = {
  content: [],
  pageable: {
    offset: 0,
    pageNumber: 0,
    pageSize: 20,
    paged: true,
    unpaged: false,
    sort: { empty: true, sorted: false, unsorted: true },
  },
  totalElements: 0,
  totalPages: 0,
  last: true,
  first: true,
  empty: true,
  number: 0,
  size: 20,
  numberOfElements: 0,
  sort: { empty: true, sorted: false, unsorted: true },
}
const AnyPage = compatPageOf(Json, 'CompatEmptyPage')
const nothingListed = {
  ...compat,
  access: 'system:admin',
  query: Type.Object(compatPaging),
  reply: AnyPage,
  example: { reply: emptyPage },
} as const

export const listCompatHistory = endpoint('GET /{prefix}/api/v1/history', {
  ...nothingListed,
  summary: 'What happened to files: kept elsewhere, nothing here',
})
export const listCompatPageHashes = endpoint('GET /{prefix}/api/v1/page-hashes', {
  ...nothingListed,
  summary: 'Pages that stand in many books: nothing here',
})
export const listCompatUnknownPageHashes = endpoint('GET /{prefix}/api/v1/page-hashes/unknown', {
  ...nothingListed,
  summary: 'Pages that may stand in many books: nothing here',
})

export const listCompatFontFamilies = endpoint('GET /{prefix}/api/v1/fonts/families', {
  ...compat,
  summary: 'Fonts for the reader of another project: none',
  access: 'signed-in',
  reply: Type.Array(Type.String()),
  example: { reply: [] },
})

export const deleteCompatTasks = endpoint('DELETE /{prefix}/api/v1/tasks', {
  ...compat,
  summary: 'Always 403: tasks are cancelled one by one, in the web app',
  access: 'system:admin',
  errors: ['not_allowed'],
})
