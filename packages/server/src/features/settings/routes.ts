import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Caller } from '../../http/caller.ts'
import { serve, serveList } from '../../http/serve.ts'
import {
  changeSettings,
  listSettings,
  publicSettings,
  readHistory,
  readInitial,
  readSetting,
  resetSetting,
} from './settings.ts'

export const settingRoutes = (app: FastifyInstance, { db, settings, clock, config }: Context): void => {
  const initial = readInitial(config.initialSettings)
  const by = ({ userId, username }: Caller) => ({ id: userId, username })

  serve(app, api.listSettings, async ({ query }) => ({
    settings: await listSettings(db.read, initial, query.category),
  }))
  serve(app, api.readSetting, ({ params }) => readSetting(db.read, initial, params.key))
  serve(app, api.saveSetting, async ({ params, body, caller, expectMatch }) => {
    await readSetting(db.read, initial, params.key)
    const change = { key: params.key, value: body.value }
    const circumstances = { initial, by: by(caller), now: clock(), reason: body.changeReason, expectMatch }
    await changeSettings(db, [change], circumstances)
    await settings.freshen()
    return readSetting(db.read, initial, params.key)
  })
  serveList(app, api.listSettingHistory, ({ params, paging }) => readHistory(db.read, params.key, paging))
  serve(app, api.resetSetting, async ({ params, caller, expectMatch }) => {
    const setting = await resetSetting(db, params.key, { initial, by: by(caller), now: clock(), expectMatch })
    await settings.freshen()
    return setting
  })
  serve(app, api.saveSettings, async ({ body, caller }) => {
    const circumstances = { initial, by: by(caller), now: clock(), reason: body.changeReason }
    const changed = await changeSettings(db, body.updates, circumstances)
    await settings.freshen()
    return { settings: changed }
  })
  serve(app, api.readPublicSettings, async () => publicSettings(settings))
}
