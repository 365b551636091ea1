import { Readable } from 'node:stream'
import type { Endpoint } from '@carrel/api'
import type { CompatPage } from '@carrel/api/doors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { cachedAnswers } from '../../../catalogue/visibility/visibility.ts'
import type { Caller } from '../../../http/caller.ts'
import { serveParts, type HandlerContext } from '../../../http/serve.ts'
import type { Parameters } from '../conditions/parameters.ts'
import { readPageQuery } from '../page.ts'
import type { CompatViewer } from '../records/series-record.ts'
import { requireId, spellingOf } from '../spelling.ts'
import { answerPage, type PageAnswer, type Shown } from './pages.ts'

/** It holds the request that is answered with a page. */
export interface CompatPageRequest<Body = unknown> {
  readonly compatViewer: CompatViewer
  readonly caller: Caller
  readonly query: Parameters
  readonly body: Body
  /** The address names this id, in our spelling. */
  readonly id: string
  readonly request: FastifyRequest
}

type Find<Item, Body = unknown> = (request: CompatPageRequest<Body>) => Promise<Shown<Item>>

const keptMax = 64
const keptRowsMax = 100
const keyCharsMax = 2000

/** A user who may fill collections and read lists sees empty ones too. */
const keepers = ['collections:write', 'readlists:write'] as const

/** A random order, and a condition that depends on the day, gives another answer each time. */
const varies = /random|inthelast/i

export type ServePage = <Item, Input, Answer extends CompatPage<Item>>(
  endpoint: Endpoint<Input, Answer, Answer>,
  find: Find<Item, Input extends { readonly body?: infer Body } ? Body : unknown>,
  /** The id in the address belongs to this. */
  of?: string,
) => void

export const compatViewerOf =
  ({ viewerOf, settings }: Pick<Context, 'viewerOf' | 'settings'>) =>
  async ({ caller, request }: Pick<HandlerContext, 'caller' | 'request'>): Promise<CompatViewer> => ({
    viewer: await viewerOf(caller),
    spelling: spellingOf(request, settings),
  })

/** It binds what answers with a page. The same page asked for again is answered as before, until anything changes. */
export const pageServing = (app: FastifyInstance, context: Context): ServePage => {
  const readViewer = compatViewerOf(context)
  const cachedPages = cachedAnswers<PageAnswer<unknown>>(
    context.db,
    keptMax,
    (answer) => !(answer instanceof Readable) && answer.content.length <= keptRowsMax,
  )
  return (endpoint, find, of = '') =>
    serveParts(app, endpoint as unknown as Endpoint<object, object, object>, async (checked) => {
      const { request, caller } = checked
      const { body, params } = checked as { body?: unknown; params?: { id?: string } }
      const query = request.query as Parameters
      const compatViewer = await readViewer(checked)
      const input = { compatViewer, caller, query, body, request, id: of === '' ? '' : requireId(params?.id ?? '', of) }
      const page = readPageQuery(query)
      // The function was bound to what this endpoint takes.
      const answer = async () => answerPage<unknown>(await (find as Find<unknown>)(input), page)
      const sees = keepers.map((permission) => (caller.permissions.has(permission) ? 1 : 0)).join('')
      const key = `${compatViewer.spelling.name} ${sees} ${request.method} ${request.url} ${JSON.stringify(body ?? null)}`
      if (key.length > keyCharsMax || varies.test(key)) return answer()
      return cachedPages(compatViewer.viewer, key, answer)
    })
}
