#!/bin/sh
echo restarted
