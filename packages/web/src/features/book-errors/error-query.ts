import type { BookError } from '@carrel/api'

const errorsOnPage = 50

export const errorQuery = (code: BookError['code'], page = 1) => ({ code, page, pageSize: errorsOnPage })
