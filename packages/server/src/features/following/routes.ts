import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { rangesOf } from '../../config.ts'
import { ownOrigin } from '../../http/origin/own-origin.ts'
import { setContentLanguage } from '../../http/reply/content-language.ts'
import { serve, serveList } from '../../http/serve.ts'
import { endFeed, makeFeedKey, readFeed } from './feed/feed.ts'
import { selectFeedKey } from './feed/queries.ts'
import { follow, listFollowed, unfollow } from './following.ts'
import { countUnread, forgetNotification, listNotifications, markRead } from './notifications/notifications.ts'
import { forgetWebhook, readWebhook, saveWebhook, sendTest } from './webhook/webhook.ts'

export const followingRoutes = (app: FastifyInstance, context: Context): void => {
  const { db, clock, config, viewerOf } = context
  const trusted = rangesOf(config.trustedProxies)
  serve(app, api.followSeries, async ({ caller, params }) => follow(db, await viewerOf(caller), params.id, clock()))
  serve(app, api.unfollowSeries, ({ caller, params }) => unfollow(db, caller.userId, params.id))
  serveList(app, api.listFollowedSeries, async ({ caller, paging }) =>
    listFollowed(db.readSlowly, await viewerOf(caller), paging),
  )

  serveList(app, api.listNotifications, async ({ caller, query: { unread }, paging }) =>
    listNotifications(db.readSlowly, await viewerOf(caller), { unread }, paging),
  )
  serve(app, api.readUnreadCount, async ({ caller }) => countUnread(db.readSlowly, await viewerOf(caller)))
  serve(app, api.markNotificationsRead, ({ caller, body }) => markRead(db, caller.userId, body, clock()))
  serve(app, api.deleteNotification, ({ caller, params }) => forgetNotification(db, caller.userId, params.id))

  serve(app, api.readWebhook, ({ caller }) => readWebhook(db.read, caller.userId))
  serve(app, api.saveWebhook, ({ caller, body: { url, active = true } }) =>
    saveWebhook(context, caller.userId, { url, active, now: clock() }),
  )
  serve(app, api.deleteWebhook, ({ caller }) => forgetWebhook(db, caller.userId))
  serve(app, api.testWebhook, ({ caller }) => sendTest(db, caller.userId, clock()))

  serve(app, api.readFeedKey, ({ caller }) => selectFeedKey(db.read, caller.userId))
  serve(app, api.createFeedKey, ({ caller }) =>
    makeFeedKey(db, caller.userId, { basePath: config.basePath, now: clock() }),
  )
  serve(app, api.deleteFeedKey, ({ caller }) => endFeed(db, caller.userId))
  serve(app, api.readFeed, async ({ query, request, reply }) => {
    const home = ownOrigin(request.raw, config.publicUrl, trusted) + config.basePath
    const reader = { key: query.key, accepted: request.headers['accept-language'] }
    const { text, language } = await readFeed(db.readSlowly, reader, home)
    setContentLanguage(reply, language)
    return text
  })
}
