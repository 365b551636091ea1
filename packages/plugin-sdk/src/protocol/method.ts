import type { Static, TSchema } from 'typebox'
import type { PluginCapabilities } from './manifest.ts'

/** A plugin must have declared an ability before a method that needs it can be called on it, or by it. */
export const abilities = ['series-metadata', 'book-metadata', 'recommendations', 'read-sync', 'releases'] as const
export type Ability = (typeof abilities)[number]

/** One method of the protocol, described once: who calls it, what is sent, what comes back. */
export interface Method<Params = unknown, Result = unknown> {
  readonly name: string
  readonly calledBy: 'host' | 'plugin'
  /** Absent: every plugin has it, or may call it. */
  readonly needs?: Ability
  /** A plugin that declares the ability may still answer that it does not have this one. */
  readonly optional?: true
  /** Absent: the method takes no parameters, and any that are sent are ignored. */
  readonly params?: TSchema
  readonly result: TSchema
  /** Exists for the type checker only. */
  readonly types?: { readonly params: Params; readonly result: Result }
}

type Shape = Omit<Method, 'name' | 'calledBy' | 'types'>
type ParamsOf<S extends Shape> = S extends { readonly params: infer P extends TSchema } ? Static<P> : undefined

export const onPlugin = <const S extends Shape>(name: string, shape: S): Method<ParamsOf<S>, Static<S['result']>> => ({
  name,
  calledBy: 'host',
  ...shape,
})

/** A method of the host, which a plugin calls while it answers, or at any other time. */
export const onHost = <const S extends Shape>(name: string, shape: S): Method<ParamsOf<S>, Static<S['result']>> => ({
  name,
  calledBy: 'plugin',
  ...shape,
})

export const isAble = (capabilities: PluginCapabilities, ability: Ability): boolean => {
  switch (ability) {
    case 'series-metadata':
      return capabilities.metadataProvider?.includes('series') === true
    case 'book-metadata':
      return capabilities.metadataProvider?.includes('book') === true
    case 'recommendations':
      return capabilities.userRecommendationProvider === true
    case 'read-sync':
      return capabilities.userReadSync === true
    case 'releases':
      return capabilities.releaseSource != null && capabilities.releaseSource !== false
  }
}
