import { opdsTypes } from '@carrel/api/doors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { DoorFrame, Refusal } from '../../http/doors.ts'
import { basicChallenge, errorBody } from '../../http/reply/error-reply.ts'
import type { AppError } from '../../platform/errors.ts'
import { authenticationAddress, authenticationDocument } from './authentication.ts'
import { feedContextsFrom } from './feed-context.ts'

export const opdsFrame = ({ settings, config }: Pick<Context, 'settings' | 'config'>): DoorFrame => {
  const feedContextOf = feedContextsFrom(config)
  const takesBasic = () => settings.get('opds.basic')
  return {
    name: 'opds',
    mount: '/opds/',
    address: () => '/opds/',
    isOpen: () => settings.get('opds.enabled'),
    takesBasic,
    challenge: () => (takesBasic() ? basicChallenge : 'Bearer realm="Carrel"'),
    refusal: ({ error, sentence, texts }, request, reply) => {
      if (error.code !== 'not_authenticated') return problem({ error, sentence }, request, reply)
      const feedContext = feedContextOf(request, texts)
      const address = authenticationAddress(feedContext)
      const link = `<${address}>; rel="http://opds-spec.org/auth/document"; type="${opdsTypes.authentication}"`
      reply.type(opdsTypes.authentication).header('link', asHeader(link))
      return JSON.stringify(authenticationDocument(feedContext, takesBasic()))
    },
  }
}

/** The name of a host may contain any character. */
const asHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '')

const problem = (
  { error, sentence }: Pick<Refusal, 'error' | 'sentence'>,
  request: FastifyRequest,
  reply: FastifyReply,
): string => {
  reply.type('application/problem+json; charset=utf-8')
  const { code, status } = error
  const type = problemType(error, request)
  return JSON.stringify({
    ...(type !== undefined && { type }),
    title: code,
    status,
    detail: sentence,
    ...errorBody(error, request.id),
  })
}

/** Only these problems have names in the progression of OPDS. */
const problemType = ({ status }: AppError, { route }: FastifyRequest): string | undefined => {
  if (route?.endpoint?.path.endsWith('/progression') !== true) return undefined
  const registry = 'https://registry.opds.io/error#progression-'
  if (status === 409) return `${registry}date`
  return status === 400 ? `${registry}invalid-payload` : undefined
}
