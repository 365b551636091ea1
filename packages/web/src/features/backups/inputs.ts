/** The settings that decide about backups. */
export const settingsInput = { query: { category: 'backup' } }

/** The backup that is being made, or has been made last. */
export const latestInput = { query: { taskType: 'backup', pageSize: 1 } }
