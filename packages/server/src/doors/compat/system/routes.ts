import * as door from '@carrel/api/doors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import {
  type ClientSetting,
  everybody,
  selectClientSettings,
  removeClientSettings,
  saveClientSettings,
} from '../../../features/client-settings/client-settings.ts'
import { changeSettings, readInitial } from '../../../features/settings/settings.ts'
import { anyUserExists } from '../../../features/users/users.ts'
import { serve } from '../../../http/serve.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { readPageQuery, pageEnvelope } from '../page.ts'
import { requireId, spellingOf } from '../spelling.ts'
import { metricNames, readMetric } from './metrics.ts'
import { settingsFrom, serverSettings } from './settings.ts'

export const compatSystemRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, version } = context
  serve(app, door.readCompatClaim, async () => ({ isClaimed: await anyUserExists(db.read) }))
  serve(app, door.compatClaim, async () => {
    if (await anyUserExists(db.read)) throw invalid('', 'This server has an administrator already.')
    throw new AppError('not_allowed', 'Open the web app to make the first administrator.')
  })
  serve(app, door.readCompatActuatorInfo, async () => actuatorInfo(version))
  settingRoutes(app, context)
  metricRoutes(app, context)
  webAppRoutes(app, context)
  quietRoutes(app)
  clientSettingRoutes(app, context)
}

const actuatorInfo = (version: string) => ({
  build: { artifact: 'carrel', name: 'Carrel', group: 'carrel', version },
  git: { branch: 'main', commit: { id: '', time: '' } },
  java: { version: '' },
  os: { name: process.platform, version: '', arch: process.arch },
})

/** Apps make addresses of a web app from that of this door, and open them in a browser. */
const webAppRoutes = (app: FastifyInstance, { config }: Context): void => {
  const leadTo = (page: string, id: string, reply: FastifyReply): undefined => {
    reply.header('location', `${config.basePath}/${page}/${requireId(id, 'page')}`)
  }
  serve(app, door.openCompatSeries, async ({ params, reply }) => leadTo('series', params.seriesId, reply))
  serve(app, door.openCompatBook, async ({ params, reply }) => leadTo('books', params.bookId, reply))
}

/** Web apps made for Komga ask these of the server at their start: they are answered so that the apps go on. */
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
  serve(app, door.deleteCompatTasks, async () => {
    throw new AppError('not_allowed', 'Tasks are cancelled one by one, in the web app.')
  })
  for (const endpoint of [door.listCompatHistory, door.listCompatPageHashes, door.listCompatUnknownPageHashes])
    serve(app, endpoint, async ({ query }) => pageEnvelope([], 0, readPageQuery(query)))
}

const settingRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, settings, clock, config } = context
  serve(app, door.readCompatServerSettings, async () => serverSettings(context))
  serve(app, door.changeCompatServerSettings, async ({ caller, body }) => {
    const changes = settingsFrom(body, serverSettings(context))
    if (changes.length === 0) return undefined
    const by = { id: caller.userId, username: caller.username }
    await changeSettings(db, changes, { initial: readInitial(config.initialSettings), by, now: clock() })
    await settings.freshen()
    return undefined
  })
}

const metricRoutes = (app: FastifyInstance, context: Context): void => {
  serve(app, door.listCompatMetrics, async () => ({ names: [...metricNames] }))
  serve(app, door.readCompatMetric, async ({ params, query, request }) => {
    const tags = [query.tag].flat().flatMap((each) => each ?? [])
    const valueOf = (tag: string): string | undefined =>
      tags.find((each) => each.startsWith(`${tag}:`))?.slice(tag.length + 1)
    const library = valueOf('library')
    const narrowed = {
      library: library === undefined ? undefined : requireId(library, 'library'),
      type: valueOf('type'),
    }
    return readMetric(context, params.name, narrowed, spellingOf(request, context.settings))
  })
}

const clientSettingRoutes = (app: FastifyInstance, { db }: Context): void => {
  serve(app, door.listCompatGlobalSettings, async ({ guest }) => {
    const settings = await selectClientSettings(db.read, everybody)
    const shown = guest ? settings : settings.filter(({ isOpen }) => isOpen)
    return Object.fromEntries(shown.map(({ key, value, isOpen }) => [key, { value, allowUnauthorized: isOpen }]))
  })
  serve(app, door.listCompatUserSettings, async ({ caller }) => {
    const settings = await selectClientSettings(db.read, caller.userId)
    return Object.fromEntries(settings.map(({ key, value }) => [key, { value }]))
  })
  serve(app, door.saveCompatUserSettings, ({ caller, body }) =>
    saveClientSettings(db, caller.userId, clientSettingsFrom(body)),
  )
  serve(app, door.saveCompatGlobalSettings, ({ body }) => saveClientSettings(db, everybody, clientSettingsFrom(body)))
  serve(app, door.deleteCompatUserSettings, ({ caller, body }) => removeClientSettings(db, caller.userId, body))
  serve(app, door.deleteCompatGlobalSettings, ({ body }) => removeClientSettings(db, everybody, body))
}

const clientSettingsFrom = (
  body: Readonly<Record<string, { readonly value: string; readonly allowUnauthorized?: boolean }>>,
): ClientSetting[] =>
  Object.entries(body).map(([key, { value, allowUnauthorized = false }]) => ({
    key,
    value,
    isOpen: allowUnauthorized,
  }))
