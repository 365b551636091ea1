/** A day begins where one is: the contract wants instants, people think in days. */
export const instantOf = (day: string): string | undefined => {
  const date = new Date(`${day}T00:00:00`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

export const dayOf = (instant: string | null | undefined): string => {
  if (instant === null || instant === undefined) return ''
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}
