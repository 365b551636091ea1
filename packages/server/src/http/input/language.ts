import type { Language } from '@carrel/api'
import type { FastifyRequest } from 'fastify'
import { languageOfReader } from '../../texts/language-of-reader.ts'

export const languageOf = ({ caller, headers }: Pick<FastifyRequest, 'caller' | 'headers'>): Language =>
  languageOfReader(caller?.language ?? null, headers['accept-language'])
