"""The Relati tutorial: eleven small positions, O to move, about four minutes in all."""

from __future__ import annotations

from typing import Final

from server.boards.lesson import Lesson

LESSONS: Final = (
    Lesson("locate", "9/9/9/9/9/9/6Xs2/9/9 O OX", "L.*"),
    Lesson("connect", "9/9/2Os6/9/9/9/6XsX1/9/9 O OX", "R[bcd][234]"),
    Lesson("reach", "9/9/2OsO5/9/9/9/6XsX1/9/9 O OX", "Rf[1-5]"),
    Lesson("cut", "4Xs4/3Os5/4X4/9/4X4/9/9/9/9 O OX", "Re2"),
    Lesson("contact", "9/9/9/9/1OsOOX4/9/5X3/6Xs2/9 O OX", "Ne5.*"),
    Lesson("shot", "9/9/9/9/1OsOO3X1/9/9/6Xs2/9 O OX", "Fh5.*"),
    Lesson("shield", "9/9/9/9/2OsO2XXs1/9/9/9/9 O OX", "Dd5"),
    Lesson("bomb", "9/1Os7/9/3X1X3/4Od4/3XsX4/9/7Xd1/9 O OX", "Be5"),
    Lesson("escape", "9/9/9/3O5/4OsXXs2/9/9/9/9 O OX", "E.*"),
    Lesson("pincer", "9/9/9/4O4/3OsXO3/9/4Xs4/9/9 O OX", "Re6"),
    Lesson("win", "9/9/9/9/1OsOO2Xs2/9/9/9/9 O OX", "Fg5d5"),
)
