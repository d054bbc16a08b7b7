/** The name of the database's host, which only the processes of the harness know. */
export const databaseName = "database.purser.test";
/** The variable with the address that the name leads to at first. */
export const databaseHostVariable = "PURSER_FAULTS_DATABASE_HOST";
