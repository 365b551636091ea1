import { PluginError } from '../plugin-error.ts'
import {
  type Message,
  type Method,
  errorCodes,
  errorLine,
  limits,
  misfitOf,
  resultLine,
  storageClear,
  storageDelete,
  storageGet,
  storageList,
  storageSet,
} from '../protocol/index.ts'

export interface StoredValue {
  readonly data: unknown
  readonly expiresAt?: string
}

/** The host of a test answers a call of the plugin with it. Absent: it has no such method. */
export type HostAnswers = Readonly<Record<string, (params: never) => unknown>>

/** It stores values the way a host does, limits included. */
export const storageAnswers = (values: Map<string, StoredValue>): HostAnswers => ({
  [storageGet.name]: ({ key }: { key: string }) => values.get(key) ?? { data: null },
  [storageSet.name]: ({ key, data, expiresAt }: { key: string; data: unknown; expiresAt?: string }) => {
    if (Buffer.byteLength(JSON.stringify(data)) > limits.storageValueBytes) {
      throw new PluginError('invalid_params', `"${key}" is too large.`)
    }
    if (!values.has(key) && values.size >= limits.storageKeys) {
      throw new PluginError('invalid_params', `${limits.storageKeys} keys are kept already.`)
    }
    values.set(key, { data, ...(expiresAt !== undefined && { expiresAt }) })
    return { success: true }
  },
  [storageDelete.name]: ({ key }: { key: string }) => ({ deleted: values.delete(key) }),
  [storageList.name]: () => ({ keys: [...values].map(([key, { expiresAt }]) => ({ key, expiresAt })) }),
  [storageClear.name]: () => {
    const deletedCount = values.size
    values.clear()
    return { deletedCount }
  },
})

export const answerTo = async (
  answers: HostAnswers,
  methods: ReadonlyMap<string, Method>,
  { id, method, params }: Message & { readonly kind: 'request' },
): Promise<string> => {
  const answer = answers[method]
  const schema = methods.get(method)?.params
  const misfit = schema && misfitOf(schema, params)
  if (!answer) return errorLine(id, { code: errorCodes.method_not_found, message: `The host has no ${method}.` })
  if (misfit !== undefined) return errorLine(id, { code: errorCodes.invalid_params, message: `${method}: ${misfit}.` })
  try {
    return resultLine(id, await answer(params as never))
  } catch (error) {
    const code = error instanceof PluginError ? errorCodes[error.code] : errorCodes.internal_error
    return errorLine(id, { code, message: error instanceof Error ? error.message : String(error) })
  }
}
