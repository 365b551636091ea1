import * as door from '@carrel/api/doors'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import {
  type ClientSetting,
  everybody,
  readClientSettings,
  removeClientSettings,
  saveClientSettings,
} from '../../../features/client-settings/client-settings.ts'
import { anyUserExists } from '../../../features/users/users.ts'
import { serve } from '../../../http/serve.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { pageAsked, pageEnvelope } from '../page.ts'

export const compatSystemRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, version } = context
  serve(app, door.readCompatClaim, async () => ({ isClaimed: await anyUserExists(db.read) }))
  serve(app, door.compatClaim, async () => {
    if (await anyUserExists(db.read)) throw invalid('', 'This server has an administrator already.')
    throw new AppError('not_allowed', 'Open the web app to make the first administrator.')
  })
  serve(app, door.readCompatActuatorInfo, async () => actuatorInfo(version))
  quietRoutes(app)
  clientSettingRoutes(app, context)
}

const actuatorInfo = (version: string) => ({
  build: { artifact: 'carrel', name: 'Carrel', group: 'carrel', version },
  git: { branch: 'main', commit: { id: '', time: '' } },
  java: { version: '' },
  os: { name: process.platform, version: '', arch: process.arch },
})

/** What web apps made for Komga ask administrators' servers at their start: answered so that they go on. */
const quietRoutes = (app: FastifyInstance): void => {
  serve(app, door.readCompatAnnouncements, async () => ({
    version: 'https://jsonfeed.org/version/1',
    title: 'Announcements',
    home_page_url: '',
    description: '',
    items: [],
  }))
  serve(app, door.readCompatReleases, async () => [])
  serve(app, door.listCompatFontFamilies, async () => [])
  serve(app, door.deleteCompatTasks, async () => '0')
  serve(app, door.readCompatServerSettings, async () => ({
    deleteEmptyCollections: false,
    deleteEmptyReadLists: false,
    rememberMeDurationDays: 365,
    thumbnailSize: 'DEFAULT',
    taskPoolSize: 1,
    serverPort: {},
    serverContextPath: {},
    koboProxy: false,
    koboPort: null,
  }))
  for (const endpoint of [door.listCompatHistory, door.listCompatPageHashes, door.listCompatUnknownPageHashes])
    serve(app, endpoint, async ({ query }) => pageEnvelope([], 0, pageAsked(query)))
}

const clientSettingRoutes = (app: FastifyInstance, { db }: Context): void => {
  serve(app, door.listCompatGlobalSettings, async ({ guest }) => {
    const settings = await readClientSettings(db.read, everybody)
    const shown = guest ? settings : settings.filter(({ isOpen }) => isOpen)
    return Object.fromEntries(shown.map(({ key, value, isOpen }) => [key, { value, allowUnauthorized: isOpen }]))
  })
  serve(app, door.listCompatUserSettings, async ({ caller }) => {
    const settings = await readClientSettings(db.read, caller.userId)
    return Object.fromEntries(settings.map(({ key, value }) => [key, { value }]))
  })
  serve(app, door.saveCompatUserSettings, ({ caller, body }) =>
    saveClientSettings(db, caller.userId, settingsFrom(body)),
  )
  serve(app, door.saveCompatGlobalSettings, ({ body }) => saveClientSettings(db, everybody, settingsFrom(body)))
  serve(app, door.deleteCompatUserSettings, ({ caller, body }) => removeClientSettings(db, caller.userId, body))
  serve(app, door.deleteCompatGlobalSettings, ({ body }) => removeClientSettings(db, everybody, body))
}

const settingsFrom = (
  body: Readonly<Record<string, { readonly value: string; readonly allowUnauthorized?: boolean }>>,
): ClientSetting[] =>
  Object.entries(body).map(([key, { value, allowUnauthorized = false }]) => ({
    key,
    value,
    isOpen: allowUnauthorized,
  }))
