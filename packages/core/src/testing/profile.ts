/** Whether tests run with the larger sizes of the nightly profile (`PURSER_PROFILE=nightly`). */
export const isNightly = process.env["PURSER_PROFILE"] === "nightly";
